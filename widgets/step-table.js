// The table of a traced step: one row for each executed line, one value for each pass through it.

/**
 * @typedef {[text: string, value: string]} Cell what is read, and what is exact
 * @typedef {{ name: string, line: number, cells: Cell[] }} Row
 */

/**
 * Bring the rows of a table up to date. Rows of lines that ran before stay in place, so that neither focus nor a
 * reader's position is lost; only their values change. Every row that the function can have was written by the
 * build into a template beside the table.
 *
 * @param {HTMLTableElement} table
 * @param {Row[]} rows
 */
export function showRows(table, rows) {
  const body = table.tBodies[0];
  const templates = Array.from(table.parentElement?.querySelectorAll("template") ?? [], (each) => each.content);
  const shown = rows.map((row) => {
    const element = find(body, row) ?? /** @type {Element} */ (findIn(templates, row)).cloneNode(true);
    showPasses(/** @type {HTMLTableRowElement} */ (element), row.cells);
    return /** @type {HTMLTableRowElement} */ (element);
  });
  for (const element of [...body.rows]) {
    if (!shown.includes(element)) element.remove();
  }
  shown.forEach((element, place) => {
    if (body.rows[place] !== element) body.insertBefore(element, body.rows[place] ?? null);
  });
  const passes = Math.max(1, ...rows.map((row) => row.cells.length));
  const heading = /** @type {HTMLTableCellElement} */ (table.querySelector("[data-passes]"));
  // Even the same number would make the browser lay out the table.
  if (heading.colSpan !== passes) heading.colSpan = passes;
}

/** @param {ParentNode} place @param {Row} row */
function find(place, row) {
  return /** @type {HTMLTableRowElement | null} */ (place.querySelector(`tr[data-line="${row.line}"]`));
}

/** @param {ParentNode[]} places @param {Row} row */
function findIn(places, row) {
  return places.map((place) => find(place, row)).find(Boolean);
}

/** @param {HTMLTableRowElement} element @param {Cell[]} cells */
function showPasses(element, cells) {
  const outputs = () => element.querySelectorAll("output");
  while (outputs().length > cells.length) element.lastElementChild?.remove();
  while (outputs().length < cells.length) {
    const copy = /** @type {Element} */ (element.lastElementChild?.cloneNode(true));
    const output = /** @type {HTMLOutputElement} */ (copy.querySelector("output"));
    output.id = `${outputs()[0].id}-${outputs().length + 1}`;
    element.append(copy);
  }
  outputs().forEach((output, pass) => {
    showCell(output, cells[pass]);
  });
}

/**
 * Show one value, and touch the page only where it differs.
 *
 * @param {HTMLElement} element
 * @param {Cell} cell
 */
export function showCell(element, [text, value]) {
  if (element.getAttribute("data-value") === value) return;
  const shown = element.firstChild;
  // There are hundreds in a long table, and a text that stays in its place costs less than another.
  if (shown?.nodeType === Node.TEXT_NODE && !shown.nextSibling) shown.nodeValue = text;
  else element.textContent = text;
  element.setAttribute("data-value", value);
}
