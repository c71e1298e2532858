// The listing of a function with the values of a run beside its lines, for readers who follow the code itself.
// The step table holds the same values, so nothing here needs to be read aloud.

/** Whether this page lists the function. @param {string} functionName as the listing's ids have it: `AdamW.step` */
export function isListed(functionName) {
  return document.querySelector(`[id*="${functionName}--source--"]`) !== null;
}

/**
 * Write the values of a step table beside the lines they belong to.
 *
 * @param {string} functionName
 * @param {HTMLTableElement} steps
 */
export function showInListing(functionName, steps) {
  clearListing(functionName);
  for (const row of steps.tBodies[0].rows) {
    const line = document.querySelector(`[id$="${functionName}--source--__codelineno-0-${row.dataset.line}"]`);
    const values = Array.from(row.querySelectorAll("output"), (output) => output.textContent);
    line?.setAttribute("data-values", values.join("  |  "));
  }
}

/** @param {string} functionName */
export function clearListing(functionName) {
  for (const line of document.querySelectorAll(`[data-values][id*="${functionName}--source--"]`)) {
    line.removeAttribute("data-values");
  }
}
