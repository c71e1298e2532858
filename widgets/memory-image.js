// A memory image: a WebAssembly module whose data segments are the pages of a Python that is up already. To make an
// instance of it on the memory of a fresh Python is to copy them there. What does not lie in memory is JSON in a
// custom section of it.

import { layState } from "./pyodide-internals.js";

/**
 * @typedef {[first: number, count: number][]} Pages
 * @typedef {{ runs: Pages, checksum: number }} LeftOut pages that every fresh Python has, and are not in the image
 * @typedef {import("./pyodide-internals.js").State & { leftOut: LeftOut, lockFile: object,
 *   files: Record<string, string> }} Contents
 */

export const PAGE = 4096;
export const CONTENTS = "contents";

/** @param {WebAssembly.Module} image @returns {Contents} */
export function contentsOf(image) {
  const [section] = WebAssembly.Module.customSections(image, CONTENTS);
  return JSON.parse(new TextDecoder().decode(section));
}

/**
 * Lay an image into a fresh module with its native modules at `places`. Throws before any change where this engine
 * has put something elsewhere than the one that took the image.
 *
 * @param {any} module of Pyodide
 * @param {WebAssembly.Module} image
 * @param {Contents} contents of it
 * @param {import("./pyodide-internals.js").Place[]} places
 */
export function layIn(module, image, contents, places) {
  if (JSON.stringify(places) !== JSON.stringify(contents.places)) throw new Error("native modules lie elsewhere");
  const { runs, checksum } = contents.leftOut;
  if (checksumOf(module.HEAPU32, runs) !== checksum) throw new Error("fresh memory differs");
  layState(module, contents, () => new WebAssembly.Instance(image, { python: { memory: module.memory } }));
}

/** A checksum against accidents, of some pages of a memory. @param {Uint32Array} memory @param {Pages} runs */
export function checksumOf(memory, runs) {
  let sum = 0;
  for (const [first, count] of runs) {
    const end = ((first + count) * PAGE) / 4;
    for (let at = (first * PAGE) / 4; at < end; at++) sum = (Math.imul(sum, 31) + memory[at]) | 0;
  }
  return sum;
}
