// The buttons of a live example that are there only while they are of use.

import { partsOf } from "./built-parts.js";

const OFFERED = "button[name=retry], button[name=start], button[name=stop]";

/**
 * Show one of them, or none.
 *
 * @param {HTMLElement} example
 * @param {"retry" | "start" | "stop" | undefined} name
 */
export function offer(example, name) {
  for (const button of /** @type {HTMLButtonElement[]} */ (partsOf(example, OFFERED))) {
    const vanishes = button.name !== name;
    if (vanishes && button === document.activeElement) keepFocus(example);
    button.hidden = vanishes;
  }
}

/** A button that vanishes would take the place of a reader without a mouse with it. @param {HTMLElement} example */
function keepFocus(example) {
  const places = ["button[name=run]", "[role=status]"].map((each) => example.querySelector(each));
  /** @type {HTMLElement | undefined} */ (places.find(Boolean))?.focus();
}
