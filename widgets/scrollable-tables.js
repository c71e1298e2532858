// Material lets wide tables scroll, but only mouse and finger reach them in every browser: now Tab does, too.

/** @typedef {{ subscribe(listener: () => void): void }} Pages Material's: tells of each page, also by instant navigation */

const WRAPPED = ".md-typeset__scrollwrap:not([tabindex])";

export function start() {
  const { document$: pages } = /** @type {{ document$?: Pages }} */ (globalThis);
  // Material wraps the tables while it hears of the page itself.
  pages?.subscribe(() => setTimeout(nameTables));
}

function nameTables() {
  for (const region of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(WRAPPED))) {
    const columns = Array.from(region.querySelectorAll("th"), (cell) => cell.textContent?.trim());
    region.tabIndex = 0;
    region.setAttribute("role", "region");
    region.setAttribute("aria-label", `Table: ${columns.join(", ")}`);
  }
}
