// Starting Python inside the worker, from files that the page has fetched and verified already.
// The two modules of Pyodide are bundled into the worker: see optim_ref_docs/bundle.py.

import createPyodideModule from "pyodide/pyodide.asm.mjs";
import { loadPyodide } from "pyodide/pyodide.mjs";

const LOCK_FILE = "pyodide-lock.json";
const EXAMPLES = "examples.zip";
// Any address will do: every request is answered from the files in hand.
const RUNTIME_URL = `${self.location.origin}/`;

/**
 * Start Pyodide with NumPy and the project's own wheel.
 *
 * @param {WebAssembly.Module} core
 * @param {Record<string, Blob>} files by name
 */
export async function startPython(core, files) {
  self.fetch = (request) => answerFromHand(files, String(request));
  WebAssembly.instantiateStreaming = async (_response, imports) => {
    const instance = await WebAssembly.instantiate(core, imports);
    return { module: core, instance };
  };
  const lockFile = JSON.parse(await files[LOCK_FILE].text());
  const python = await loadPyodide({
    indexURL: RUNTIME_URL,
    packageBaseUrl: RUNTIME_URL,
    lockFileContents: lockFile,
    createPyodideModule,
  });
  await python.loadPackage(Object.keys(lockFile.packages), { messageCallback: () => {} });
  const sitePackages = python.runPython("import site; site.getsitepackages()[0]");
  python.unpackArchive(await files[EXAMPLES].arrayBuffer(), "zip", { extractDir: sitePackages });
  return python;
}

/**
 * What Pyodide asks of the network. Nothing leaves the worker: a name that is not in hand is refused.
 *
 * @param {Record<string, Blob>} files
 * @param {string} url
 */
async function answerFromHand(files, url) {
  const name = url.slice(url.lastIndexOf("/") + 1);
  if (name === "pyodide.asm.wasm") return new Response();
  if (!(name in files)) throw new TypeError(`${name} is not part of this site's runtime`);
  return new Response(files[name]);
}
