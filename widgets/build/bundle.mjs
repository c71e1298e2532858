// node bundle.mjs <entry> <output> <iife | esm> [<folder of Pyodide>]
// `iife` makes a script of the page, which also starts where the page is opened from disk; `esm` a module worker.

import path from "node:path";
import { build } from "esbuild";
import { shortScript } from "./shorten-pyodide.mjs";

const [entry, outfile, format, pyodideFolder] = process.argv.slice(2);
const LATE = ["exercises.js"];
const pagesPython = {
  name: "the Python of the page",
  setup(building) {
    building.onResolve({ filter: /^\.\/python\.js$/ }, () => ({ path: path.resolve("page-python.js") }));
  },
};
const shortPyodide = {
  name: "Pyodide, shortened",
  setup(building) {
    building.onLoad({ filter: /pyodide\.asm\.mjs$/ }, () => ({ contents: shortScript(pyodideFolder) }));
  },
};
await build({
  entryPoints: [entry],
  outfile,
  format,
  bundle: true,
  minify: true,
  charset: "utf8",
  target: "es2022",
  legalComments: "none",
  logLevel: "error",
  alias: pyodideFolder
    ? {
        "pyodide/pyodide.mjs": `${pyodideFolder}/pyodide.mjs`,
        "pyodide/pyodide.asm.mjs": `${pyodideFolder}/pyodide.asm.mjs`,
      }
    : {},
  // Pyodide makes addresses from it, which fails for one of a blob.
  define: { "import.meta.url": "location.origin" },
  // Pyodide reaches for these only under Node.js.
  external: ["node:*", "ws"],
  plugins: [...(LATE.includes(entry) ? [pagesPython] : []), ...(pyodideFolder ? [shortPyodide] : [])],
});
