// <exercise-progress>: how far the reader got, as this browser remembers it.

import { exportEverything, isSureToForget } from "./exercise-kept.js";
import { everything, forgetEverything } from "./exercise-store.js";
import { siteRoot } from "./site-root.js";

export class ExerciseProgress extends HTMLElement {
  #listening = new AbortController();

  connectedCallback() {
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    this.toggleAttribute("data-live", true);
    addEventListener("storage", () => this.#show(), { signal });
    this.addEventListener("click", (event) => this.#clicked(event), { signal });
    this.#show();
  }

  disconnectedCallback() {
    this.#listening.abort();
  }

  #show() {
    const kept = everything(siteRoot);
    for (const item of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll("[data-exercise]"))) {
      const { passed, total, text } = kept[item.dataset.exercise ?? ""] ?? {};
      const words = total === undefined ? (text ? "begun" : "not tried") : `${passed} of ${total} checks passed`;
      /** @type {HTMLElement} */ (item.querySelector("span")).textContent = words;
    }
  }

  /** @param {Event} event */
  #clicked(event) {
    const name = /** @type {Element} */ (event.target).closest("button")?.name;
    if (name === "export") exportEverything(siteRoot);
    if (name === "delete" && isSureToForget(siteRoot)) {
      forgetEverything(siteRoot);
      this.#show();
      const status = /** @type {HTMLElement} */ (this.querySelector("[role=status]"));
      status.textContent = "What you wrote and reached is gone from this browser.";
    }
  }
}
