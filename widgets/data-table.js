// A table of numbers that may be long: its rows are drawn only as far as they are looked at.

import { showCell } from "./step-table.js";

/** @typedef {import("./step-table.js").Cell} Cell */

/** Draw the next rows when the reader has scrolled this close to the end of those drawn. */
const PIXELS_AHEAD = 400;

/** The rows that each table was last brought up to date with. @type {WeakMap<HTMLTableElement, Cell[][]>} */
const latest = new WeakMap();

/**
 * Bring a table up to date; rows that are there stay, and only what differs in them is touched.
 *
 * @param {HTMLTableElement} table
 * @param {{ length: number, rows: Cell[][] }} data the table's length and its first rows
 */
export function showTable(table, data) {
  table.dataset.length = String(data.length);
  const body = table.tBodies[0];
  const before = latest.get(table) ?? [];
  latest.set(table, data.rows);
  data.rows.forEach((cells, place) => {
    const row = body.rows[place];
    if (row) {
      cells.forEach((cell, column) => {
        // Half of a curve's table stays, and the page is slower to tell than this.
        if (before[place]?.[column][1] !== cell[1]) showCell(row.cells[column], cell);
      });
    } else {
      body.append(makeRow(cells));
    }
  });
  while (body.rows.length > data.rows.length) body.deleteRow(-1);
}

/**
 * Add the next rows where the reader is about to see the end of those drawn.
 *
 * @param {HTMLTableElement} table
 * @param {(first: number) => Promise<Cell[][]>} ask gives the rows from `first` on
 */
export async function drawAhead(table, ask) {
  const region = /** @type {HTMLElement} */ (table.parentElement);
  const body = table.tBodies[0];
  const drawn = body.rows.length;
  const left = region.scrollHeight - region.scrollTop - region.clientHeight;
  if (table.dataset.asking || left > PIXELS_AHEAD || drawn >= Number(table.dataset.length)) return;
  table.dataset.asking = "true";
  try {
    const rows = await ask(drawn);
    if (body.rows.length === drawn) body.append(...rows.map(makeRow));
  } finally {
    delete table.dataset.asking;
  }
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
