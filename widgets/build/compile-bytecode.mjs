// node compile-bytecode.mjs <folder of Pyodide> <archive in> <archive out> <where it will be imported from>
// Compiles the modules of an archive with the very interpreter that will run them: a .pyc of another Python is refused.
import "./short-errors.mjs";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodideFolder, archiveIn, archiveOut, prefix] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodideFolder}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${pyodideFolder}/` });
python.FS.writeFile("/in.zip", readFileSync(archiveIn));
for (const script of ["compile_bytecode.py", "short_lines.py"]) {
  python.FS.writeFile(`/${script}`, readFileSync(new URL(script, import.meta.url)));
}
python.runPython(`
import sys
sys.path.insert(0, "/")
from compile_bytecode import compile_archive
compile_archive("/in.zip", "/out.zip", ${JSON.stringify(prefix)})
`);
writeFileSync(archiveOut, python.FS.readFile("/out.zip"));
process.exit(0);
