// node take-image.mjs <folder> <image out>
// Starts Python from the files in the folder, runs every example once, and writes its memory as an image.
// The folder holds Pyodide, the archives, `natives.json` (where native modules belong, each in a file of the same
// last name), `site-packages/`, and `files.json` (the files that go with the image, by path).

import "./short-errors.mjs";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { fileOf, IMAGE, startFromImage, writeFiles } from "../image-start.js";
import { checksumOf } from "../memory-image.js";
import { breakOf, layingOptions, TAKING, takeState, withNatives } from "../pyodide-internals.js";
import { standStill } from "./same-every-time.mjs";
import { sortPages, writeImage } from "./write-image.mjs";

const [folder, imageOut] = process.argv.slice(2);
const inFolder = (/** @type {string} */ name) => path.join(folder, name);
const json = (/** @type {string} */ name) => JSON.parse(readFileSync(inFolder(name), "utf8"));
const load = (/** @type {string} */ name) => import(pathToFileURL(inFolder(name)).href);

const { loadPyodide } = await load("pyodide.mjs");
const { default: createPyodideModule } = await load("pyodide.asm.mjs");
const SITE_PACKAGES = "/lib/python3.14/site-packages";
const ARCHIVES = ["python_stdlib.zip", "numpy.whl"];

const lockFile = { info: json("pyodide-lock.json").info, packages: {} };
const files = json("files.json");
// Metadata of packages would make Pyodide note them as loaded, in a place that no image keeps.
const modules = Object.fromEntries(Object.entries(files).filter(([name]) => !name.includes(".dist-info/")));
const natives = json("natives.json").map((/** @type {string} */ name) => ({
  path: `${SITE_PACKAGES}/${name}`,
  module: new WebAssembly.Module(readFileSync(inFolder(fileOf(name)))),
}));
const options = {
  indexURL: `${folder}/`,
  lockFileContents: lockFile,
  // Of the surroundings, only this gets into memory.
  env: { PYTHONHASHSEED: "0", LANG: "C.UTF-8" },
  _sysExecutable: "./this.program",
};

/** The memory of a module before Python starts in it. */
async function freshMemory() {
  let memory;
  const stop = new Error("stop");
  const create = withNatives(createPyodideModule, natives, []);
  const keep = (/** @type {any} */ module) => {
    memory = module.HEAPU8.slice();
    throw stop;
  };
  await loadPyodide({ ...options, ...layingOptions(create, keep) }).catch((error) => {
    if (error !== stop) throw error;
  });
  return memory;
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

/** @param {any[]} places */
async function startedPython(places) {
  const python = await loadPyodide({
    ...options,
    ...TAKING,
    createPyodideModule: withNatives(createPyodideModule, natives, places),
    fsInit: async (FS, { sitePackages }) => {
      copyTree(FS, inFolder("site-packages"), sitePackages);
      writeFiles(FS, sitePackages, modules);
    },
  });
  python.FS.mkdirTree("/build");
  python.FS.writeFile("/build/take_image.py", readFileSync(new URL("take_image.py", import.meta.url)));
  for (const name of ARCHIVES) python.FS.writeFile(`/build/${name}`, readFileSync(inFolder(name)));
  python.runPython(`
import sys
sys.path.insert(0, "/build")
import take_image
take_image.prepare(${JSON.stringify(ARCHIVES.map((name) => `/build/${name}`))})
`);
  return python;
}

/**
 * Fill with zeros what Python has given back, which compresses to nothing: take all free blocks, large ones first.
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

/** Start from the image once: one that does not come up must stop the build, not send every reader the long way. @param {Buffer} bytes */
async function mustComeUp(bytes) {
  const image = new WebAssembly.Module(bytes);
  const part = async (/** @type {string} */ name) =>
    name === IMAGE ? image : new WebAssembly.Module(readFileSync(inFolder(name)));
  const python = await startFromImage({ loadPyodide, createPyodideModule }, part, options);
  const answer = python.runPython("import live.example as e; one = e.load('adamw-one-step'); e.answer(one, one.start())['rows'][-1]['cells'][0]['text']");
  if (!answer) throw new Error(`the image does not come up`);
  console.log(answer);
}

// Taken first, with the time and the random numbers of the moment: a page that depends on them must not be left out.
const fresh = await freshMemory();
standStill();
const places = [];
const { _module: module } = await startedPython(places);
zeroFree(module);
const memory = module.HEAPU8.slice();
const { stored, leftOut } = sortPages(memory, fresh);
const contents = {
  ...takeState(module, places),
  leftOut: { runs: leftOut, checksum: checksumOf(new Uint32Array(fresh.buffer), leftOut) },
  lockFile,
  files,
};
const image = writeImage(memory, stored, contents);
await mustComeUp(image);
writeFileSync(imageOut, image);
process.exit(0);
