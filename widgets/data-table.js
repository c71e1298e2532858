// A table of numbers that may be long: its rows are drawn only as far as they are looked at.

import { showCell } from "./step-table.js";

/**
 * @typedef {import("./step-table.js").Cell} Cell
 * @typedef {[texts: string[], values: string[]]} Column of each row, what is read, and what is exact
 */

/** Draw the next rows when the reader has scrolled this close to the end of those drawn. */
const PIXELS_AHEAD = 400;

/** The columns that each table was last brought up to date with. @type {WeakMap<HTMLTableElement, Column[]>} */
const latest = new WeakMap();

/**
 * Bring a table up to date; rows that are there stay, and only what differs in them is touched.
 *
 * @param {HTMLTableElement} table
 * @param {{ length: number, columns: Column[] }} data the table's length and its first rows
 */
export function showTable(table, { length, columns }) {
  table.dataset.length = String(length);
  const [body] = table.tBodies;
  const before = latest.get(table);
  latest.set(table, columns);
  const staying = Math.min(body.rows.length, columns[0][1].length);
  columns.forEach(([texts, values], column) => {
    for (let place = 0; place < staying; place++) {
      // Half of a curve's table stays, and the page is slower to tell than this.
      if (before?.[column][1][place] === values[place]) continue;
      showCell(body.rows[place].cells[column], [texts[place], values[place]]);
    }
  });
  while (body.rows.length > staying) body.deleteRow(-1);
  body.append(...rowsFrom(columns, staying).map(makeRow));
}

/**
 * Add the next rows where the reader is about to see the end of those drawn.
 *
 * @param {HTMLTableElement} table
 * @param {(first: number) => Promise<Column[]>} ask gives the rows from `first` on
 */
export async function drawAhead(table, ask) {
  if (table.dataset.asking || isComplete(table)) return;
  const region = /** @type {HTMLElement} */ (table.parentElement);
  const [body] = table.tBodies;
  if (region.scrollHeight - region.scrollTop - region.clientHeight > PIXELS_AHEAD) return;
  const shown = latest.get(table);
  table.dataset.asking = "true";
  try {
    const columns = await ask(body.rows.length);
    if (latest.get(table) === shown) return body.append(...rowsFrom(columns, 0).map(makeRow));
  } finally {
    delete table.dataset.asking;
  }
  // Rows of what was shown before do not continue what is shown now.
  await drawAhead(table, ask);
}

/** The rows of such columns from one place on. @param {Column[]} columns @param {number} first @returns {Cell[][]} */
export function rowsFrom(columns, first) {
  const places = columns[0]?.[1].slice(first).map((_, place) => first + place) ?? [];
  return places.map((place) => columns.map(([texts, values]) => [texts[place], values[place]]));
}

/** Whether every row of the table is drawn. @param {HTMLTableElement} table */
export function isComplete(table) {
  return table.tBodies[0].rows.length >= Number(table.dataset.length);
}

/** The drawn rows as comma-separated values, exact ones. @param {HTMLTableElement} table */
export function tableText(table) {
  const heading = Array.from(table.tHead?.rows[0].cells ?? [], (cell) => quoted(cell.textContent ?? ""));
  const rows = Array.from(table.tBodies[0].rows, (row) =>
    Array.from(row.cells, (cell) => quoted(cell.dataset.value ?? cell.textContent ?? "")),
  );
  return `${[heading, ...rows].map((row) => row.join(",")).join("\n")}\n`;
}

/** @param {string} text */
function quoted(text) {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param {Cell[]} cells */
function makeRow(cells) {
  const row = document.createElement("tr");
  for (const [text, value] of cells) {
    const cell = document.createElement("td");
    cell.textContent = text;
    cell.dataset.value = value;
    row.append(cell);
  }
  return row;
}
