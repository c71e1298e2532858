// Material lets wide tables scroll, but only mouse and finger reach them in every browser: now Tab does, too.

import { onEachPage } from "./each-page.js";

const WRAPPED = ".md-typeset__scrollwrap:not([tabindex])";

export function start() {
  // Material wraps the tables while it hears of the page itself.
  onEachPage(() => setTimeout(nameTables));
}

function nameTables() {
  for (const region of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(WRAPPED))) {
    const columns = Array.from(region.querySelectorAll("th"), (cell) => cell.textContent?.trim());
    region.tabIndex = 0;
    region.setAttribute("role", "region");
    region.setAttribute("aria-label", `Table: ${columns.join(", ")}`);
  }
}
