// The one file that reaches below what Pyodide documents. It fits one version of Pyodide, and no image is taken with
// another: raising Pyodide means reading this file again beside the new one.

const FITS_PYODIDE = "314.0.3";

/** @param {string} version of Pyodide */
export function mustFit(version) {
  if (version !== FITS_PYODIDE) {
    throw new Error(
      `pyodide-internals.js was written for Pyodide ${FITS_PYODIDE}, not ${version}: read it again beside the new one`,
    );
  }
}

/**
 * @typedef {any} Module Emscripten's module object
 * @typedef {{ path: string, module: WebAssembly.Module | Promise<WebAssembly.Module> }} Native module, and where
 *   Python's import will look for it
 * @typedef {{ path: string, table: [number, number], memory: number }} Place of a native module
 * @typedef {{ places: Place[], heap: number, table: number, freeSlots: number[], handles: Record<string, string>,
 *   references: object }} State what belongs to a memory but lies outside of it
 */

// What the Python of an image needs: taken all at once, while nothing else can be done, rather than when the image comes.
export const BYTES_OF_MEMORY = 30 * 2 ** 20;
// Engines put nothing or one trampoline into the table before this: from here on every engine counts alike.
const TABLE_START = 14336;

/**
 * Wrap Pyodide's `createPyodideModule`: load native modules before Python starts, so that they get places that
 * do not depend on what Python does. They go into `places` as they are loaded.
 *
 * @param {(settings: any) => Promise<Module>} create
 * @param {Native[]} natives
 * @param {Place[]} places
 */
export function withNatives(create, natives, places) {
  return (/** @type {any} */ settings) =>
    new Promise((resolve, reject) => {
      settings.preRun.unshift((/** @type {Module} */ module) => {
        module.addRunDependency("natives");
        loadNatives(module, natives, places).then(() => module.removeRunDependency("natives"), reject);
      });
      create(settings).then(resolve, reject);
    });
}

/** @param {Module} module @param {Native[]} natives @param {Place[]} places */
async function loadNatives(module, natives, places) {
  for (const { path, module: compiled } of natives) places.push(await loadNative(module, path, await compiled));
  module.reportUndefinedSymbols();
  module.growMemory(BYTES_OF_MEMORY);
}

/** @param {Module} module @param {string} path @param {WebAssembly.Module} compiled @returns {Promise<Place>} */
async function loadNative(module, path, compiled) {
  if (module.wasmTable.length < TABLE_START) module.wasmTable.grow(TABLE_START - module.wasmTable.length);
  const before = module.wasmTable.length;
  const flags = { loadAsync: true, global: false, nodelete: true, allowUndefined: true };
  const symbols = await module.loadWebAssemblyModule(compiled, flags, path, {}, undefined);
  // Under this name Python's import finds it loaded.
  module.newDSO(path, undefined, symbols).global = false;
  return { path, table: [before, module.wasmTable.length], memory: breakOf(module) };
}

/** Where the memory in use ends. @param {Module} module @returns {number} */
export function breakOf(module) {
  return module.HEAPU32[module._emscripten_get_sbrk_ptr() >>> 2];
}

/** Options of `loadPyodide` for taking an image. */
export const TAKING = { _makeSnapshot: true };

/**
 * What must be kept beside the memory of a Pyodide that was started with `TAKING`.
 *
 * @param {Module} module
 * @param {Place[]} places
 * @returns {State}
 */
export function takeState(module, places) {
  const handles = Object.entries(module.LDSO.loadedLibsByHandle).filter(([handle]) => handle !== "0");
  return {
    places,
    heap: module.HEAPU8.length,
    table: module.wasmTable.length,
    freeSlots: [...module.freeTableIndexes],
    handles: Object.fromEntries(handles.map(([handle, library]) => [handle, library.name])),
    references: module.API.serializeHiwireState(),
  };
}

/**
 * Options of `loadPyodide` for going on from an image: Python's own start is left out, and `lay` puts the memory
 * in its place.
 *
 * @param {(settings: any) => Promise<Module>} create
 * @param {(module: Module) => Promise<State>} lay resolves to the state that belongs to the memory it laid in
 */
export function layingOptions(create, lay) {
  return {
    // Any array makes Pyodide go on from a snapshot; its own format is passed over, since it refuses native modules.
    _loadSnapshot: new Uint8Array(16),
    async createPyodideModule(/** @type {any} */ settings) {
      const module = await create(settings);
      const { references } = await lay(module);
      module.API.restoreSnapshot = () => references;
      return module;
    },
  };
}

/**
 * Bring a fresh module to `state`, with `copy` writing the memory.
 *
 * @param {Module} module
 * @param {State} state
 * @param {(memory: Uint8Array) => void} copy
 */
export function layState(module, state, copy) {
  const { heap, table, freeSlots, handles } = state;
  if (module.HEAPU8.length < heap) module.growMemory(heap);
  if (module.wasmTable.length < table) module.wasmTable.grow(table - module.wasmTable.length);
  if (module.HEAPU8.length !== heap || module.wasmTable.length !== table) throw new Error("sizes differ");
  module.freeTableIndexes.push(...freeSlots);
  // This points into the table at a function that the engine has made for itself.
  const trampoline = (module.__PyRuntime + module.HEAP32[module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET >>> 2]) >>> 2;
  const current = module.HEAP32[trampoline];
  copy(module.HEAPU8);
  module.HEAP32[trampoline] = current;
  for (const [handle, path] of Object.entries(handles)) {
    module.LDSO.loadedLibsByHandle[handle] = module.LDSO.loadedLibsByName[path];
  }
}
