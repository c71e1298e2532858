// A memory image: the blocks of a Python that is up already, to be laid into a fresh one, and beside them as JSON
// what does not lie in memory.
//
// It is packed as a WebAssembly module that consists of one custom section and is never compiled: servers compress
// files of that type, and of few others that are not text.

import { layState } from "./pyodide-internals.js";

/**
 * @typedef {[first: number, count: number][]} Blocks runs of them
 * @typedef {import("./pyodide-internals.js").State & {
 *   stored: Blocks, leftOut: Blocks, sample: number, lockFile: object, files: [path: string, size: number][]
 * }} Contents `leftOut` are those that every fresh Python has, with a `sample` of their words to tell
 * @typedef {{ contents: Contents, files: [path: string, bytes: Uint8Array][], memory: Uint8Array }} Image
 */

export const BLOCK = 128;
const SECTION = "memory-image";
const WASM = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
const BYTES_OF_SIZE = 5;
const WORDS_BETWEEN_SAMPLES = 64;

/**
 * @param {Omit<Contents, "files">} contents
 * @param {[path: string, bytes: Uint8Array][]} files that go with the image
 * @param {Uint8Array} memory
 * @returns {Uint8Array<ArrayBuffer>[]} the parts of the file, one after the other
 */
export function pack(contents, files, memory) {
  const text = new TextEncoder();
  const name = text.encode(SECTION);
  const sizes = files.map(([path, bytes]) => [path, bytes.length]);
  const json = text.encode(JSON.stringify({ ...contents, files: sizes }));
  const blocks = contents.stored.map(([first, count]) => memory.slice(first * BLOCK, (first + count) * BLOCK));
  const parts = [new Uint8Array([name.length]), name, new Uint8Array(new Uint32Array([json.length]).buffer), json];
  parts.push(...files.map(([, bytes]) => new Uint8Array(bytes)), ...blocks);
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  return [WASM, new Uint8Array([0]), leb128(size), ...parts];
}

/** @param {ArrayBuffer} file @returns {Image} */
export function unpack(file) {
  const start = WASM.length + 1 + BYTES_OF_SIZE + 1 + SECTION.length;
  const length = new DataView(file).getUint32(start, true);
  let at = start + 4;
  const next = (/** @type {number} */ size) => {
    at += size;
    return new Uint8Array(file, at - size, size);
  };
  /** @type {Contents} */
  const contents = JSON.parse(new TextDecoder().decode(next(length)));
  const files = contents.files.map(([path, size]) => /** @type {[string, Uint8Array]} */ ([path, next(size)]));
  return { contents, files, memory: new Uint8Array(file, at) };
}

/**
 * Lay an image into a fresh module of Pyodide with its native modules at `places`. Throws where this engine has put
 * something elsewhere than the one that took the image.
 *
 * @param {any} module
 * @param {Image} image
 * @param {import("./pyodide-internals.js").Place[]} places
 */
export function layIn(module, { contents, memory }, places) {
  if (JSON.stringify(places) !== JSON.stringify(contents.places)) throw new Error("native modules lie elsewhere");
  if (sampleOf(module.HEAPU32, contents.leftOut) !== contents.sample) throw new Error("fresh memory differs");
  layState(module, contents, (/** @type {Uint8Array} */ fresh) => {
    let at = 0;
    for (const [first, count] of contents.stored) {
      fresh.set(memory.subarray(at, at + count * BLOCK), first * BLOCK);
      at += count * BLOCK;
    }
  });
}

/** A checksum of some words of some blocks: enough to notice an accident. @param {Uint32Array} memory @param {Blocks} blocks */
export function sampleOf(memory, blocks) {
  let sum = 0;
  for (const [first, count] of blocks) {
    const end = ((first + count) * BLOCK) / 4;
    for (let at = (first * BLOCK) / 4; at < end; at += WORDS_BETWEEN_SAMPLES)
      sum = (Math.imul(sum, 31) + memory[at]) | 0;
  }
  return sum;
}

/** A number as WebAssembly writes it, seven bits a byte, in a fixed number of bytes. @param {number} number */
function leb128(number) {
  const bytes = Array.from({ length: BYTES_OF_SIZE }, (_, at) => ((number / 2 ** (7 * at)) & 0x7f) | 0x80);
  bytes[BYTES_OF_SIZE - 1] &= 0x7f;
  return new Uint8Array(bytes);
}
