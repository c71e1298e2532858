// Pyodide's script, made to do at a start only what a start needs. Like pyodide-internals.js it belongs to one version
// of Pyodide, and stops the build where that has changed.

import { readFileSync } from "node:fs";
import path from "node:path";
import { linkedSymbols } from "./linked-symbols.mjs";
import { onlyReachable } from "./only-reachable.mjs";

const SCRIPT = "pyodide.asm.mjs";
const OTHER_READERS = ["pyodide.mjs", new URL("../pyodide-internals.js", import.meta.url)];
// What stands there once, and what takes its place.
const REPLACEMENTS = [
  // Each of the core's thousands of symbols is entered in three tables, for native modules to be linked with. The few
  // that are linked with are found in the core itself when they are asked for.
  [
    'mergeLibSymbols(wasmExports,"main");',
    'mergeLibSymbols({__main_argc_argv:wasmExports.__main_argc_argv},"main");Object.setPrototypeOf(wasmImports,wasmExports);',
  ],
  ["updateGOT(origExports);", ""],
  // Where both have a symbol, that of the core is meant: it was in the table first.
  [
    "for(var symName in exports){if(isInternalSym(symName)){",
    "for(var symName in exports){if(isInternalSym(symName)||!replace&&isSymbolDefined(symName)){",
  ],
  ["if(newSymIndex==-1||lib.exports[symbol].stub){", "if(!(symbol in lib.exports)||lib.exports[symbol].stub){"],
  // What the core wants only the address of may be gone: null is put in its place, but not for a module after it.
  [
    "GOTProxyHandler=new Proxy(new Set([]),GOTHandler);",
    "GOTProxyHandler=new Proxy({has:symName=>!(symName in wasmImports)},GOTHandler);",
  ],
  [
    "if(!weakImports.has(symName)){rtn.required=true}",
    "if(!weakImports.has(symName)){if(!rtn.required&&rtn.value===0)rtn.value=-1;rtn.required=true}",
  ],
  // It would have the page show pictures and play sounds that are loaded as files, and a worker has no page.
  ['if(typeof Browser!="undefined")Browser.init();', ""],
  // To run a line of source, Python's whole compiler is compiled first. All that these lines fetch is there without.
  [
    'API.finalizeBootstrap=function(t,e){t&&$r();let[r,n]=API.rawRun("import _pyodide_core");',
    'API.finalizeBootstrap=function(t,e){t&&$r();let[r,n]=t?[0,""]:API.rawRun("import _pyodide_core");',
  ],
  [
    'API.runPythonInternal_dict=API._pyodide._base.eval_code("{}"),API.importlib=API.runPythonInternal("import importlib; importlib");',
    'API.importlib=API._pyodide._importhook.sys.modules.get("importlib");',
  ],
  [
    'i=API.runPythonInternal("import __main__; __main__.__dict__"),s=API.runPythonInternal("import builtins; builtins.__dict__");',
    'i=o("__main__").__dict__,s=o("builtins").__dict__;API.runPythonInternal_dict=s.get("dict")();',
  ],
];
const VARIABLES = /var _set_method_docstring,[^;]*;(?=function assignWasmExports\()/;
const ASSIGNMENTS = /(?<=function assignWasmExports\(wasmExports\)\{)[^}]*/;
const ASSIGNMENT = /([\w$]+)=(?:Module\["\w+"\]=)?wasmExports\["\w+"\](?:\.value>>>0)?(?:;|$)/g;

/**
 * What takes the place of `pyodide.asm.mjs`.
 *
 * @param {string} folder of Pyodide, with all the native modules of the site in `natives`
 */
export function shortScript(folder) {
  const read = (/** @type {string | URL} */ file) =>
    readFileSync(typeof file === "string" ? path.join(folder, file) : file, "utf8");
  const readers = OTHER_READERS.map(read);
  let text = read(SCRIPT);
  for (const [found, instead] of REPLACEMENTS) text = replaceOnce(text, found, () => instead);
  return withoutUnread(onlyReachable(text, readers, linkedSymbols(folder)), readers);
}

/** Without the variables for symbols of the core that nobody reads. @param {string} script @param {string[]} readers */
function withoutUnread(script, readers) {
  const others = script.replace(VARIABLES, "").replace(ASSIGNMENTS, "");
  const read = new Set([others, ...readers].flatMap((text) => text.match(/[\w$]+/g) ?? []));
  const isRead = (/** @type {string} */ name) => read.has(name.split("=")[0]);
  const declared = replaceOnce(script, VARIABLES, (found) => `var ${found.slice(4, -1).split(",").filter(isRead)};`);
  return replaceOnce(declared, ASSIGNMENTS, (found) =>
    found.replace(ASSIGNMENT, (assignment, name) => (isRead(name) ? assignment : "")),
  );
}

/** @param {string} text @param {string | RegExp} what @param {(found: string) => string} instead */
function replaceOnce(text, what, instead) {
  const count = text.split(what).length - 1;
  if (count !== 1) throw new Error(`Pyodide's script has ${count} times, not once: ${what}`);
  return text.replace(what, instead);
}
