// Showing one answer in the element: outputs, steps, the table, the code.

import { showTable } from "./data-table.js";
import { showCell, showRows } from "./step-table.js";

/**
 * @param {HTMLElement} element
 * @param {any} answer results, as `Result.plain` in Python gives them
 */
export function showResults(element, answer) {
  for (const [name, cell] of Object.entries(answer.outputs)) {
    const output = element.querySelector(`.live-example__outputs output[name="${name}"]`);
    if (output) showCell(/** @type {HTMLElement} */ (output), cell);
  }
  const steps = element.querySelector("table.live-example__steps");
  if (steps) showRows(/** @type {HTMLTableElement} */ (steps), answer.rows);
  const table = element.querySelector("table.live-example__table");
  if (table && answer.table) showTable(/** @type {HTMLTableElement} */ (table), answer.table);
  const code = element.querySelector(".live-example__code code");
  if (code && answer.code !== undefined) code.textContent = answer.code;
}
