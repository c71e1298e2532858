// The button of a live example that shows the values of its steps in the listing of the traced function.

import { clearListing, isListed, showInListing } from "./listing-values.js";

export class TraceSwitch {
  /** @param {HTMLElement} example */
  constructor(example) {
    this.name = example.dataset.function ?? "";
    this.button = /** @type {HTMLButtonElement | null} */ (example.querySelector("button[name=trace]"));
    this.steps = /** @type {HTMLTableElement | null} */ (example.querySelector("table.live-example__steps"));
    // Offered where this page has the listing.
    if (this.button) this.button.hidden = !isListed(this.name);
  }

  toggle() {
    this.button?.setAttribute("aria-pressed", String(!this.#isOn));
    this.update();
  }

  /** Bring the listing in line with the button, and with the values as they are now. */
  update() {
    if (this.steps && this.#isOn) showInListing(this.name, this.steps);
    else clearListing(this.name);
  }

  get #isOn() {
    return this.button?.getAttribute("aria-pressed") === "true";
  }
}
