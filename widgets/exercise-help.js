// Help in small doses: hints that open one at a time, and last of all the reference.

export class ExerciseHelp {
  /**
   * @param {HTMLElement[]} hints
   * @param {HTMLButtonElement} hintButton
   * @param {HTMLDetailsElement} reference
   * @param {HTMLButtonElement} referenceButton
   */
  constructor(hints, hintButton, reference, referenceButton) {
    this.hints = hints;
    this.hintButton = hintButton;
    this.reference = reference;
    this.referenceButton = referenceButton;
    for (const hint of hints) hint.hidden = true;
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    const say = () => this.referenceButton.setAttribute("aria-expanded", String(this.reference.open));
    this.reference.addEventListener("toggle", say, { signal });
  }

  /** Open the next hint. */
  nextHint() {
    const next = this.hints.find((hint) => hint.hidden);
    if (next) {
      next.hidden = false;
      next.querySelector("details")?.setAttribute("open", "");
      next.querySelector("summary")?.focus();
    }
    this.hintButton.disabled = this.hints.every((hint) => !hint.hidden);
  }

  toggleReference() {
    this.reference.open = !this.reference.open;
  }
}
