// Showing one answer in the element: errors at their fields, outputs, steps, the table, the code.

import { showTable } from "./data-table.js";
import { showCell, showRows } from "./step-table.js";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

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

/**
 * Mark each field that cannot be taken, with the sentence that says why; what was typed stays.
 *
 * @param {Iterable<Control>} controls
 * @param {Record<string, string>} errors by field
 */
export function showErrors(controls, errors) {
  for (const control of controls) {
    const message = /** @type {Element} */ (document.getElementById(`${control.id}-message`));
    const text = errors[control.name] ?? "";
    if (message.textContent !== text) message.textContent = text;
    if (text) {
      control.setAttribute("aria-invalid", "true");
      control.closest("details")?.setAttribute("open", "");
    } else {
      control.removeAttribute("aria-invalid");
    }
  }
}
