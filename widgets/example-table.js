// The table of a live example's numbers, which Python continues where it is too long to be drawn whole.

import { drawAhead, isComplete, tableText } from "./data-table.js";

export class ExampleTable {
  /**
   * @param {HTMLElement} example
   * @param {(key: object, question: { type: "rows", first: number } | { type: "csv" }) => Promise<any>} ask
   */
  constructor(example, ask) {
    this.table = /** @type {HTMLTableElement | null} */ (example.querySelector("table.live-example__table"));
    this.ask = ask;
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    this.table?.parentElement?.addEventListener("scroll", () => this.drawAhead(), { signal, passive: true });
  }

  /** Draw what the reader is about to see. */
  drawAhead() {
    const { table } = this;
    if (!table) return;
    // Where Python fails, the table ends where it ended; the next scrolling asks again.
    drawAhead(table, (first) => this.ask(table, { type: "rows", first })).catch(console.debug);
  }

  /**
   * Let `take` have the whole table.
   *
   * @param {(csv: string) => string | Promise<string>} take gives a sentence that says how it went
   * @returns {Promise<string>} that sentence, or why there was no table to take
   */
  async give(take) {
    try {
      return await take(await this.#csv());
    } catch (failure) {
      return `There is no table to take: ${/** @type {Error} */ (failure).message}.`;
    }
  }

  /**
   * Be content with the rows that are drawn: the rest went with the Python that had them.
   *
   * @returns {string} what there is to say of it
   */
  close() {
    const { table } = this;
    if (!table || isComplete(table)) return "";
    const { length } = table.tBodies[0].rows;
    table.dataset.length = String(length);
    return ` Of the table, the first ${length} rows are left.`;
  }

  /** The whole table as comma-separated values; Python writes one of which not every row is drawn. */
  async #csv() {
    const { table } = this;
    if (table && isComplete(table)) return tableText(table);
    const csv = await this.ask({}, { type: "csv" });
    if (!csv) throw new Error("Python has forgotten this run. Run it again");
    return csv;
  }
}
