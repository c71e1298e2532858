// node take-image.mjs <folder> <image out>
// Starts Python from the files in the folder, runs every example once, and writes its memory as an image.
// The folder holds Pyodide, the archives, NumPy's native modules, `site-packages/`, and `files.json` (the texts that go
// with the image, by path).

import "./short-errors.mjs";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { IMAGE } from "../file-names.js";
import { fileOf, NATIVES, startFromImage, writeFiles } from "../image-start.js";
import { pack, sampleOf } from "../memory-image.js";
import {
  BYTES_OF_MEMORY,
  breakOf,
  layingOptions,
  mustFit,
  TAKING,
  takeState,
  withNatives,
} from "../pyodide-internals.js";
import { standStill } from "./same-every-time.mjs";
import { shortScript } from "./shorten-pyodide.mjs";
import { sortBlocks } from "./sort-blocks.mjs";

const [folder, imageOut] = process.argv.slice(2);
const inFolder = (/** @type {string} */ name) => path.join(folder, name);
const read = (/** @type {string} */ name) => readFileSync(inFolder(name));
const json = (/** @type {string} */ name) => JSON.parse(read(name).toString());
const load = (/** @type {string} */ name) => import(pathToFileURL(inFolder(name)).href);
const ownScript = (/** @type {string} */ name) => readFileSync(new URL(`${name}.py`, import.meta.url));
const compiled = (/** @type {string} */ name) => new WebAssembly.Module(read(name));

const { loadPyodide, version } = await load("pyodide.mjs");
mustFit(version);
writeFileSync(inFolder("pyodide.asm.mjs"), shortScript(folder));
const { default: createPyodideModule } = await load("pyodide.asm.mjs");

const ARCHIVES = ["python_stdlib.zip", "numpy.whl"];
const BEFORE_PYTHON = "before_python";
const PREPARATION = "take_image";
const files = Object.entries(json("files.json")).map(([name, text]) => [name, Buffer.from(String(text))]);
// Metadata of packages would make Pyodide note them as loaded, in a place that no image keeps.
const modules = files.filter(([name]) => !String(name).includes(".dist-info/"));
const natives = NATIVES.map((path) => ({ path, module: compiled(fileOf(path)) }));
const options = {
  indexURL: `${folder}/`,
  lockFileContents: { info: json("pyodide-lock.json").info, packages: {} },
  // Of the surroundings, only this gets into memory.
  env: { PYTHONHASHSEED: "0", LANG: "C.UTF-8" },
};

/** The memory of a module before Python starts in it. @returns {Promise<Uint8Array>} */
async function freshMemory() {
  const enough = Promise.withResolvers();
  const keep = (/** @type {any} */ module) => {
    enough.resolve(module.HEAPU8.slice());
    return new Promise(() => {});
  };
  const create = withNatives(createPyodideModule, natives, []);
  loadPyodide({ ...options, ...layingOptions(create, keep) }).catch(enough.reject);
  return enough.promise;
}

/** A Python that has imported and run everything; its native modules go to `places`. @param {any[]} places */
async function preparedPython(places) {
  const python = await loadPyodide({
    ...options,
    ...TAKING,
    createPyodideModule: withNatives(createPyodideModule, natives, places),
    fsInit: async (/** @type {any} */ FS, /** @type {any} */ { sitePackages }) => {
      copyTree(FS, inFolder("site-packages"), sitePackages);
      writeFiles(FS, sitePackages, modules);
      FS.writeFile(`${sitePackages}/sitecustomize.py`, ownScript(BEFORE_PYTHON));
    },
  });
  for (const name of ARCHIVES) python.FS.writeFile(`/${name}`, read(name));
  return { python, answers: preparation(python).prepare(ARCHIVES.map((name) => `/${name}`)) };
}

/** @param {any} FS @param {string} from @param {string} to */
function copyTree(FS, from, to) {
  FS.mkdirTree(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [from, to].map((each) => `${each}/${entry.name}`);
    if (entry.isDirectory()) copyTree(FS, source, target);
    else FS.writeFile(target, readFileSync(source));
  }
}

/** The module `take_image`, imported. @param {any} python */
function preparation(python) {
  python.FS.mkdirTree("/build");
  python.FS.writeFile(`/build/${PREPARATION}.py`, ownScript(PREPARATION));
  python.runPython("import sys; sys.path.append('/build')");
  return python.pyimport(PREPARATION);
}

/**
 * Fill with zeros what Python has given back, for zeros compress to nothing: take all free blocks, large ones first.
 *
 * @param {any} module
 */
function zeroFree(module) {
  const end = breakOf(module);
  const taken = [];
  for (let size = 65536; size >= 16; size = Math.floor(size * 0.75)) {
    let block = module._malloc(size);
    for (; block + size <= end; block = module._malloc(size)) {
      module.HEAPU8.fill(0, block, block + size);
      taken.push(block);
    }
    taken.push(block);
  }
  for (const block of taken.reverse()) module._free(block);
}

/**
 * Start from the image once: one that does not come up must stop the build, not send every reader the long way.
 *
 * @param {Blob} image
 * @param {string} answers
 */
async function mustComeUp(image, answers) {
  writeFileSync(inFolder("empty.zip"), "");
  const part = async (/** @type {string} */ name) => (name === IMAGE ? image.arrayBuffer() : compiled(name));
  const pyodide = { loadPyodide, createPyodideModule };
  const python = await startFromImage(pyodide, part, Promise.resolve(), {
    ...options,
    stdLibURL: inFolder("empty.zip"),
  });
  if (preparation(python).answers() !== answers) throw new Error("Python gives other answers from the image");
}

// Taken first, with the time and the random numbers of the moment: a page that depends on them must not be left out.
const fresh = await freshMemory();
standStill();
/** @type {import("../pyodide-internals.js").Place[]} */
const places = [];
const { python, answers } = await preparedPython(places);
zeroFree(python._module);
const memory = python._module.HEAPU8.slice();
if (memory.length > BYTES_OF_MEMORY) throw new Error(`Python takes ${memory.length} bytes: raise BYTES_OF_MEMORY`);
const { stored, leftOut } = sortBlocks(memory, fresh, places[places.length - 1].memory);
const sample = sampleOf(new Uint32Array(fresh.buffer), leftOut);
const lockFile = options.lockFileContents;
const image = new Blob(
  pack({ ...takeState(python._module, places), stored, leftOut, sample, lockFile }, files, memory),
);
await mustComeUp(image, answers);
writeFileSync(imageOut, Buffer.from(await image.arrayBuffer()));
process.exit(0);
