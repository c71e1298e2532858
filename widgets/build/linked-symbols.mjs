// What the native modules ask Emscripten's script for when they are linked with it. Nothing else can ever ask.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const CORE = "pyodide.asm.wasm";
const NATIVES = "natives";

/**
 * @typedef {{ called: Set<string>, addressed: Set<string> }} Symbols `addressed` are those of which nobody wants more
 *   than the address, and only the core that
 */

/**
 * @param {string} folder of Pyodide, with all the native modules of the site in `natives`
 * @returns {Symbols}
 */
export function linkedSymbols(folder) {
  const natives = readdirSync(path.join(folder, NATIVES)).map((name) => path.join(folder, NATIVES, name));
  if (!natives.length) throw new Error(`no native modules in ${folder}`);
  const core = WebAssembly.Module.imports(compiled(path.join(folder, CORE)));
  const isAddress = (/** @type {WebAssembly.ModuleImportDescriptor} */ asked) => asked.module === "GOT.func";
  const called = new Set([...core.filter((asked) => !isAddress(asked)), ...natives.flatMap(importsOf)].map(nameOf));
  return { called, addressed: new Set(core.filter(isAddress).map(nameOf)).difference(called) };
}

/** @param {string} file */
function importsOf(file) {
  const module = compiled(file);
  const own = WebAssembly.Module.exports(module).find(({ name }) => /^__(em_js__|start_em_(js|asm)$)/.test(name));
  if (own) throw new Error(`${file} brings JavaScript of its own, which may read any name of Pyodide's script`);
  return WebAssembly.Module.imports(module);
}

/** @param {string} file */
function compiled(file) {
  return new WebAssembly.Module(readFileSync(file));
}

/** @param {WebAssembly.ModuleImportDescriptor} asked */
function nameOf(asked) {
  return asked.name;
}
