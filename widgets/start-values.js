// The values a page was built with, kept so that the browser's own can be held against them.

import { rowsFrom } from "./data-table.js";

/** @typedef {import("./step-table.js").Cell} Cell */

export class StartValues {
  /** @param {HTMLElement} example as the build wrote it */
  constructor(example) {
    const cells = example.querySelectorAll(
      ".live-example__outputs output, .live-example__steps output, td[data-value]",
    );
    this.values = Array.from(cells, (cell) => /** @type {HTMLElement} */ (cell).dataset.value ?? "");
  }

  /**
   * Hold an answer to the same texts against the page.
   *
   * @param {any} answer
   * @returns {{ count: number, different: number, ulps: number } | undefined} the largest difference in units in the
   *   last place; undefined where the answer has another number of values
   */
  compare(answer) {
    const outputs = /** @type {Cell[]} */ (Object.values(answer.outputs));
    const rows = answer.rows.flatMap((/** @type {{ cells: Cell[] }} */ row) => row.cells);
    const table = rowsFrom(answer.table?.columns ?? [], 0).flat();
    const got = [...outputs, ...table, ...rows].map(([, value]) => value);
    if (got.length !== this.values.length) return undefined;
    const distances = this.values.map((value, place) => distance(value, got[place]));
    const different = distances.filter((each) => each > 0);
    return { count: got.length, different: different.length, ulps: Math.max(0, ...different) };
  }
}

/** How many floats lie between two numbers as Python writes them. @param {string} one @param {string} other */
function distance(one, other) {
  if (one === other) return 0;
  const [here, there] = [place(one), place(other)];
  if (here === undefined || there === undefined) return Number.POSITIVE_INFINITY;
  // Subtracted before it is made a number: as numbers, neighbours of this size would be equal.
  return Math.abs(Number(here - there));
}

/** The place of a float among all floats, in order. @param {string} text @returns {bigint | undefined} */
function place(text) {
  const number = Number(text);
  if (text.trim() === "" || Number.isNaN(number)) return undefined;
  const bits = new BigInt64Array(new Float64Array([number]).buffer)[0];
  return bits < 0n ? -(bits & 0x7fffffffffffffffn) : bits;
}
