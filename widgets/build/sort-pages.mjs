// Which pages of a memory go into its image.

import { PAGE } from "../memory-image.js";

/** @typedef {import("../memory-image.js").Pages} Pages */

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
  /** @type {Record<"stored" | "leftOut", Pages>} */
  const runs = { stored: [], leftOut: [] };
  for (let at = 0; at < memory.length; at += PAGE) {
    const [page, freshPage] = [memory, before].map((bytes) => bytes.subarray(at, at + PAGE));
    const isFresh = Buffer.compare(page, freshPage) === 0;
    const isZero = page.every((byte) => byte === 0);
    if (!(isFresh && isZero)) extend(isFresh ? runs.leftOut : runs.stored, at / PAGE);
  }
  return runs;
}

/** @param {Pages} runs @param {number} page */
function extend(runs, page) {
  const last = runs.at(-1);
  if (last && last[0] + last[1] === page) last[1]++;
  else runs.push([page, 1]);
}
