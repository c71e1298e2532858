// Starting Python from a memory image: the fast way, and one that may fail where the plain start works.

import { IMAGE } from "./file-names.js";
import { layIn, unpack } from "./memory-image.js";
import names from "./native-modules.json" with { type: "json" };
import { layingOptions, withNatives } from "./pyodide-internals.js";

const SITE_PACKAGES = "/lib/python3.14/site-packages";
/** Where Python looks for the native modules that `import numpy` loads. */
export const NATIVES = names.map((name) => `${SITE_PACKAGES}/${name}`);

/**
 * Start Python as it was when the image was taken.
 *
 * @param {{ loadPyodide: typeof import("pyodide").loadPyodide, createPyodideModule: any }} pyodide
 * @param {(name: string) => Promise<any>} part the image, and NumPy's native modules compiled
 * @param {Promise<void>} allowed resolves when what has been laid in may run
 * @param {import("pyodide").PyodideConfig} options
 */
export async function startFromImage({ loadPyodide, createPyodideModule }, part, allowed, options) {
  const unpacked = part(IMAGE).then(unpack);
  const damaged = new Promise((_, reject) => unpacked.catch(reject));
  // Pyodide does not hear of everything that fails here. Where the image is damaged, it waits in vain.
  /** @type {Promise<import("./memory-image.js").Image>} */
  const image = unpacked.catch(() => new Promise(() => {}));
  const natives = NATIVES.map((path) => ({ path, module: part(fileOf(path)) }));
  /** @type {import("./pyodide-internals.js").Place[]} */
  const places = [];
  const lay = async (/** @type {any} */ module) => {
    const laid = await image;
    layIn(module, laid, places);
    writeFiles(module.FS, SITE_PACKAGES, laid.files);
    await allowed;
    return laid.contents;
  };
  const started = loadPyodide({
    ...options,
    ...layingOptions(withNatives(createPyodideModule, natives, places), lay),
    lockFileContents: /** @type {any} */ (image.then(({ contents }) => contents.lockFile)),
  });
  const python = /** @type {import("pyodide").PyodideInterface} */ (await Promise.race([started, damaged]));
  python.pyimport("live.image").awake();
  return python;
}

/** The name of the file that holds a native module, without its folders and tags. @param {string} path */
export function fileOf(path) {
  return `${path.slice(path.lastIndexOf("/") + 1).split(".")[0]}.wasm`;
}

/** @param {any} FS @param {string} folder @param {[path: string, bytes: Uint8Array][]} files */
export function writeFiles(FS, folder, files) {
  const paths = files.map(([name]) => `${folder}/${name}`);
  for (const parent of new Set(paths.map((path) => path.slice(0, path.lastIndexOf("/"))))) FS.mkdirTree(parent);
  for (const [at, path] of paths.entries()) FS.writeFile(path, files[at][1]);
}
