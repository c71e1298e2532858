// The table of a traced step: one row for each executed line.

/**
 * @typedef {{ name: string, line: number, text: string, value: string }} Row
 */

/**
 * Bring the rows of a table up to date. Rows of lines that ran before stay in place, so that neither focus nor a
 * reader's position is lost; only their values change. Every row that the function can have was written by the
 * build into the table's template.
 *
 * @param {HTMLTableElement} table
 * @param {Row[]} rows
 */
export function showRows(table, rows) {
  const body = table.tBodies[0];
  const template = /** @type {HTMLTemplateElement} */ (table.parentElement?.querySelector("template"));
  const find = (/** @type {ParentNode} */ place, /** @type {Row} */ row) =>
    /** @type {HTMLTableRowElement | null} */ (place.querySelector(`tr[data-line="${row.line}"]`));

  const shown = rows.map((row) => {
    const element = find(body, row) ?? /** @type {Element} */ (find(template.content, row)).cloneNode(true);
    showOutput(/** @type {HTMLTableRowElement} */ (element), row);
    return /** @type {HTMLTableRowElement} */ (element);
  });
  for (const element of [...body.rows]) {
    if (!shown.includes(element)) element.remove();
  }
  shown.forEach((element, place) => {
    if (body.rows[place] !== element) body.insertBefore(element, body.rows[place] ?? null);
  });
}

/** @param {HTMLTableRowElement} element @param {Row} row */
function showOutput(element, row) {
  const output = /** @type {HTMLOutputElement} */ (element.querySelector("output"));
  if (output.dataset.value === row.value) return;
  output.textContent = row.text;
  output.dataset.value = row.value;
}
