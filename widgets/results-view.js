// Showing one answer in the element: outputs, steps, the table, the code.

import { partsOf } from "./built-parts.js";
import { showTable } from "./data-table.js";
import { showCell, showRows } from "./step-table.js";

/**
 * @param {HTMLElement} element
 * @param {any} answer results, as `Result.plain` in Python gives them
 */
export function showResults(element, answer) {
  for (const [name, cell] of Object.entries(answer.outputs)) {
    const [output] = partsOf(element, `.live-example__outputs output[name="${name}"]`);
    if (output) showCell(output, cell);
  }
  const [steps] = /** @type {HTMLTableElement[]} */ (partsOf(element, "table.live-example__steps"));
  if (steps) showRows(steps, answer.rows);
  const [table] = /** @type {HTMLTableElement[]} */ (partsOf(element, "table.live-example__table"));
  if (table && answer.table) showTable(table, answer.table);
  const [code] = partsOf(element, ".live-example__code code");
  if (code && answer.code !== undefined) code.textContent = answer.code;
}
