// node compile-bytecode.mjs <folder of Pyodide> <archive in> <archive out> <where it will be imported from>
// Compiles the modules of an archive with the very interpreter that will run them: a .pyc of another Python is refused.
import "./short-errors.mjs";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodideFolder, archiveIn, archiveOut, prefix] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodideFolder}/pyodide.mjs`).href);
// Tracebacks would point at places in lines that are not there to be shown.
const env = { PYTHONNODEBUGRANGES: "1" };
const python = await loadPyodide({ indexURL: `${pyodideFolder}/`, env });
const script = new URL("compile_bytecode.py", import.meta.url);
python.FS.writeFile("/in.zip", readFileSync(archiveIn));
python.FS.writeFile("/compile_bytecode.py", readFileSync(script));
python.runPython(`
import sys
sys.path.insert(0, "/")
from compile_bytecode import compile_archive
compile_archive("/in.zip", "/out.zip", ${JSON.stringify(prefix)})
`);
writeFileSync(archiveOut, python.FS.readFile("/out.zip"));
process.exit(0);
