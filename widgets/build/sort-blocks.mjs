// Which parts of a memory go into its image.

import { BLOCK } from "../memory-image.js";

/** @typedef {import("../memory-image.js").Blocks} Blocks */

const PAGE = 4096;

/**
 * Sort the blocks of a memory into runs: `leftOut` are those that a fresh Python has too, `stored` all others that
 * are not zero in both. Up to `end`, where a fresh Python's memory in use ends, page by page: another fresh one may
 * differ in some bytes of a page that this one shares. Beyond lies what nobody has written to, and is zero.
 *
 * @param {Uint8Array} memory
 * @param {Uint8Array} fresh
 * @param {number} end
 */
export function sortBlocks(memory, fresh, end) {
  const before = Buffer.alloc(memory.length);
  before.set(fresh);
  /** @type {Record<"stored" | "leftOut", Blocks>} */
  const runs = { stored: [], leftOut: [] };
  let size = PAGE;
  for (let at = 0; at < memory.length; at += size) {
    size = at < end ? PAGE : BLOCK;
    const [part, freshPart] = [memory, before].map((bytes) => bytes.subarray(at, at + size));
    const isFresh = Buffer.compare(part, freshPart) === 0;
    const isZero = part.every((byte) => byte === 0);
    if (!(isFresh && isZero)) extend(isFresh ? runs.leftOut : runs.stored, at / BLOCK, size / BLOCK);
  }
  return runs;
}

/** @param {Blocks} runs @param {number} first @param {number} count */
function extend(runs, first, count) {
  const last = runs.at(-1);
  if (last && last[0] + last[1] === first) last[1] += count;
  else runs.push([first, count]);
}
