// Starting Python inside the worker, from files that the page has fetched and verified already.
// The two modules of Pyodide are bundled into the worker: see optim_ref_docs/bundle.py.

import createPyodideModule from "pyodide/pyodide.asm.mjs";
import { loadPyodide } from "pyodide/pyodide.mjs";
import { CORE } from "./file-names.js";
import { startFromImage } from "./image-start.js";
import { unpackArchive } from "./unpack-archive.js";

/** @typedef {(name: string) => Promise<any>} Part a file that the page hands over, once it is there */

const STANDARD_LIBRARY = "python_stdlib.zip";
const LOCK_FILE = "pyodide-lock.json";
const EXAMPLES = "examples.zip";
// Any address will do: every request is answered from what the page hands over.
const RUNTIME_URL = `${self.location.origin}/`;

/** Start Pyodide with NumPy, the project's own wheel and the examples. @param {Part} part */
export async function startPlainly(part) {
  const lockFile = JSON.parse(new TextDecoder().decode(await part(LOCK_FILE)));
  const packages = Object.values(lockFile.packages).map((each) => each.file_name);
  handOver(part, (name) => ([STANDARD_LIBRARY, ...packages].includes(name) ? part(name) : undefined));
  const python = await loadPyodide({
    indexURL: RUNTIME_URL,
    packageBaseUrl: RUNTIME_URL,
    lockFileContents: lockFile,
    createPyodideModule,
  });
  await python.loadPackage(Object.keys(lockFile.packages), { messageCallback: () => {} });
  unpackArchive(python, await part(EXAMPLES));
  return python;
}

/**
 * Start Python with all that imported already.
 *
 * @param {Part} part
 * @param {Promise<void>} allowed resolves when what has been laid in may run
 */
export function startFast(part, allowed) {
  // Pyodide insists on a standard library, and gets an empty file: what the image needs of it is in the image.
  handOver(part, () => new ArrayBuffer());
  return startFromImage({ loadPyodide, createPyodideModule }, part, allowed, { indexURL: RUNTIME_URL });
}

/**
 * Let Pyodide find what the page hands over. Nothing leaves the worker: any other request is refused.
 *
 * @param {Part} part
 * @param {(name: string) => Promise<ArrayBuffer> | ArrayBuffer | undefined} find
 */
function handOver(part, find) {
  self.fetch = async (request) => {
    const name = String(request).slice(String(request).lastIndexOf("/") + 1);
    if (name === CORE) return new Response();
    const found = await find(name);
    if (!found) throw new TypeError(`${name} is not part of this site's runtime`);
    return new Response(found);
  };
  WebAssembly.instantiateStreaming = async (_response, imports) => {
    const core = /** @type {WebAssembly.Module} */ (await part(CORE));
    return { module: core, instance: await WebAssembly.instantiate(core, imports) };
  };
}
