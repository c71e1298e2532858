// The working parts of an exercise on a page, from when its element is connected until it is not.

import { ChecksView } from "./checks-view.js";
import { showDownload } from "./download-view.js";
import { ExerciseHelp } from "./exercise-help.js";
import { exportEverything, isSureToForget } from "./exercise-kept.js";
import { forgetEverything } from "./exercise-store.js";
import { ExerciseText } from "./exercise-text.js";
import { pythonFor, STALE } from "./python.js";
import { siteRoot } from "./site-root.js";
import { obstacle } from "./support.js";

export class ExerciseControl {
  #listening = new AbortController();
  #generation = 0;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    const textarea = /** @type {HTMLTextAreaElement} */ (this.#find("textarea"));
    this.text = new ExerciseText(this.#name, textarea, this.#find(".live-exercise__conflict"));
    this.checks = new ChecksView(this.#find(".live-exercise__checks"));
    this.help = new ExerciseHelp(
      Array.from(element.querySelectorAll(".live-exercise__hints li")),
      this.#button("hint"),
      /** @type {HTMLDetailsElement} */ (this.#find(".live-exercise__reference")),
      this.#button("solution"),
    );
    this.#listen(textarea);
    const why = obstacle();
    if (why) this.#say(why);
    this.#button("run").disabled = why !== "";
    element.toggleAttribute("data-live", true);
  }

  /** @param {HTMLTextAreaElement} textarea */
  #listen(textarea) {
    const { signal } = this.#listening;
    this.element.addEventListener("input", () => this.#tell(this.text.edited()), { signal });
    this.element.addEventListener("click", (event) => this.#clicked(event), { signal });
    // Ahead of the editor, which has a use of its own for Ctrl+Enter.
    this.element.addEventListener("keydown", (event) => this.#pressed(event), { signal, capture: true });
    addEventListener("storage", () => this.#tell(this.text.compare()), { signal });
    textarea.addEventListener("focus", () => this.#awaken(), { signal });
    this.help.listen(signal);
  }

  end() {
    this.#listening.abort();
    this.#generation++;
    this.text.editor.remove();
    // Another Python, if there is one, stays for whatever the next page asks.
    this.#python.stop(this);
  }

  get #name() {
    return /** @type {string} */ (this.element.getAttribute("name"));
  }

  get #python() {
    return pythonFor(this.element.dataset.runtime ?? "", siteRoot);
  }

  /** @param {string} selector */
  #find(selector) {
    return /** @type {HTMLElement} */ (this.element.querySelector(selector));
  }

  /** @param {string} name */
  #button(name) {
    return /** @type {HTMLButtonElement} */ (this.#find(`button[name=${name}]`));
  }

  /** @param {string} news of the text, if there are any */
  #tell(news) {
    // Said again at every key, it would be read aloud as often.
    if (news && news !== this.#find("[role=status]").textContent) this.#say(news);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    this.#run();
  }

  /** @param {Event} event */
  #clicked(event) {
    const button = /** @type {Element} */ (event.target).closest("button");
    const actions = /** @type {Record<string, () => void>} */ ({
      run: () => this.#run(),
      stop: () => this.#python.stop(this),
      reset: () => this.#reset(),
      hint: () => this.help.nextHint(),
      solution: () => this.help.toggleReference(),
      "keep-mine": () => this.#keepMine(),
      "take-other": () => this.#takeOther(),
      export: () => exportEverything(siteRoot),
      delete: () => this.#forget(),
    });
    if (button) actions[button.name]?.();
  }

  #keepMine() {
    this.#chosen(this.text.keepMine() || "What is here is kept.");
  }

  #takeOther() {
    if (this.text.takeOther()) this.#chosen(`What the other tab has is here now.${this.#undoing}`);
  }

  /** Say which of two texts it is; the buttons vanish with the choice. @param {string} sentence */
  #chosen(sentence) {
    this.text.editor.focus();
    this.#say(sentence);
  }

  #awaken() {
    const { editor = "", editorSha256: sha256 = "" } = this.element.dataset;
    return this.text.editor.awaken({ url: new URL(editor, siteRoot).href, sha256 });
  }

  #reset() {
    if (this.text.reset()) this.#say(`The starter is back.${this.#undoing}`);
  }

  get #undoing() {
    return this.text.editor.canUndo ? " Ctrl+Z in the editor undoes that." : "";
  }

  #forget() {
    if (!isSureToForget(siteRoot)) return;
    this.text.startOver(() => forgetEverything(siteRoot));
    this.#say("What you wrote and reached is gone from this browser.");
  }

  async #run() {
    if (this.#button("run").disabled || ["loading", "running"].includes(this.element.dataset.state ?? "")) return;
    const generation = ++this.#generation;
    const current = () => generation === this.#generation;
    const python = this.#python;
    this.#begin();
    const question = { type: /** @type {const} */ ("check"), exercise: this.#name, text: this.text.editor.text };
    try {
      const answer = await python.ask(this, question, {
        onProgress: (received, total) => showDownload(this.element, received, total),
        onPartial: (partial) => current() && this.#showPartial(partial),
        secondsAllowed: Number(this.element.dataset.seconds),
      });
      if (current() && answer !== STALE) this.#end(answer);
    } catch (failure) {
      if (current()) this.#fail(/** @type {Error} */ (failure));
    }
    // Where Python has never started, a second one would only be one more that starts.
    if (current() && (python.ready || this.checks.isBegun)) python.spare.prepare();
  }

  #begin() {
    const { ready, files } = this.#python;
    const vanishing = [this.checks.list, this.#find(".live-exercise__output")];
    if (vanishing.some((each) => each.contains(document.activeElement))) this.#button("run").focus();
    this.checks.clear();
    this.#show(".live-exercise__output", "");
    this.#button("stop").disabled = false;
    this.element.dataset.state = ready ? "running" : "loading";
    const once = files.complete ? "" : ` (${this.element.dataset.download}, once)`;
    this.#say(ready ? "Running the checks…" : `Starting Python${once}…`);
  }

  /** @param {any} partial that the code is being read, the names of all checks, then one after the other */
  #showPartial({ reading, cases, printed, check }) {
    if (reading) {
      this.element.dataset.state = "running";
      this.#say("Running the checks…");
      // From now on the solution may hang or crash: let the next Python start beside it.
      this.#python.spare.prepare();
    } else if (cases) {
      this.checks.begin(cases);
      this.#show(".live-exercise__output", printed);
    } else {
      this.checks.show(check);
    }
  }

  /** @param {any} answer */
  #end({ passed, total, sentence, accident = "" }) {
    this.#settle("ready", sentence);
    if (accident) this.#show(".live-exercise__output", accident);
    else this.text.store.record(passed, total);
  }

  /** @param {Error} failure */
  #fail(failure) {
    const { reached } = this.checks;
    this.checks.abandon(failure.message);
    this.#settle("error", `${failure.message}. ${reached} What you wrote is kept, and Run starts over.`);
  }

  /** @param {"ready" | "error"} state @param {string} sentence */
  #settle(state, sentence) {
    this.element.dataset.state = state;
    const stop = this.#button("stop");
    if (document.activeElement === stop) this.#button("run").focus();
    stop.disabled = true;
    this.#say(sentence);
  }

  /** @param {string} selector @param {string} text nothing hides the place */
  #show(selector, text) {
    const place = this.#find(selector);
    place.textContent = text;
    place.hidden = text === "";
  }

  /** @param {string} sentence */
  #say(sentence) {
    this.#find("[role=status]").textContent = sentence;
  }
}
