// Writing a memory image as a WebAssembly module; ../memory-image.js reads it.

import { CONTENTS, PAGE } from "../memory-image.js";

const WASM_PAGE = 65536;

/**
 * Sort the pages of a memory into runs: `leftOut` are those that a fresh Python has too, `stored` all others that
 * are not zero in both.
 *
 * @param {Uint8Array} memory
 * @param {Uint8Array} fresh
 */
export function sortPages(memory, fresh) {
  const before = Buffer.alloc(memory.length);
  before.set(fresh);
  /** @type {Record<"stored" | "leftOut", import("../memory-image.js").Pages>} */
  const runs = { stored: [], leftOut: [] };
  for (let at = 0; at < memory.length; at += PAGE) {
    const [page, freshPage] = [memory, before].map((bytes) => bytes.subarray(at, at + PAGE));
    const isFresh = Buffer.compare(page, freshPage) === 0;
    const isZero = page.every((byte) => byte === 0);
    if (!(isFresh && isZero)) extend(isFresh ? runs.leftOut : runs.stored, at / PAGE);
  }
  return runs;
}

/** @param {import("../memory-image.js").Pages} runs @param {number} page */
function extend(runs, page) {
  const last = runs.at(-1);
  if (last && last[0] + last[1] === page) last[1]++;
  else runs.push([page, 1]);
}

/**
 * The module: it imports the memory, keeps `contents` in a custom section, and holds the stored pages as segments.
 *
 * @param {Uint8Array} memory
 * @param {import("../memory-image.js").Pages} stored
 * @param {object} contents
 */
export function writeImage(memory, stored, contents) {
  const segments = stored.map(([first, count]) => {
    const bytes = memory.subarray(first * PAGE, (first + count) * PAGE);
    // An active segment of memory 0, at a constant address.
    return Buffer.concat([Buffer.from([0, 0x41]), signed(first * PAGE), Buffer.from([0x0b]), sized(bytes)]);
  });
  const memoryImport = [name("python"), name("memory"), Buffer.from([2, 0]), unsigned(memory.length / WASM_PAGE)];
  return Buffer.concat([
    Buffer.from("\0asm\x01\0\0\0", "latin1"),
    section(0, name(CONTENTS), Buffer.from(JSON.stringify(contents))),
    section(2, unsigned(1), ...memoryImport),
    section(11, unsigned(segments.length), ...segments),
  ]);
}

/** @param {number} kind @param {Buffer[]} parts */
function section(kind, ...parts) {
  return Buffer.concat([Buffer.from([kind]), sized(Buffer.concat(parts))]);
}

/** @param {string} text */
function name(text) {
  return sized(Buffer.from(text));
}

/** @param {Uint8Array} bytes */
function sized(bytes) {
  return Buffer.concat([unsigned(bytes.length), bytes]);
}

/** A number as LEB128, seven bits a byte. @param {number} number */
function unsigned(number) {
  const bytes = [];
  for (; number > 0x7f; number >>>= 7) bytes.push((number & 0x7f) | 0x80);
  return Buffer.from([...bytes, number]);
}

/** The same where the sixth bit of the last byte is the sign. @param {number} number not negative */
function signed(number) {
  const bytes = [];
  for (; number > 0x3f; number >>>= 7) bytes.push((number & 0x7f) | 0x80);
  return Buffer.from([...bytes, number]);
}
