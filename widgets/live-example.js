// <live-example>: fields that the reader edits, results that Python recomputes.
// Without this script, or until Python has answered, the element shows what the build computed.

import { pythonFor, SECONDS_TO_ANSWER, STALE } from "./python.js";
import { showRows } from "./step-table.js";
import { obstacle, savesData } from "./support.js";
import { LONGEST_LINK, linkWith, readState, showLink } from "./url-state.js";

/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

export class LiveExample extends HTMLElement {
  #listening = new AbortController();
  #generation = 0;
  #mayDownload = false;
  /** @type {Record<string, string>} */
  #following = {};

  connectedCallback() {
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    this.#following = JSON.parse(this.dataset.next ?? "{}");
    this.#mayDownload = !savesData();
    const why = obstacle();
    if (why) {
      this.#say(why);
      for (const control of this.#controls()) control.disabled = true;
      return;
    }
    this.toggleAttribute("data-live", true);
    this.addEventListener("input", () => this.#edited(), { signal });
    this.addEventListener("click", (event) => this.#clicked(event), { signal });
    if (this.#restore(readState(this.#name))) this.#recompute();
  }

  disconnectedCallback() {
    this.#listening.abort();
    this.#generation++;
  }

  get #name() {
    return /** @type {string} */ (this.getAttribute("name"));
  }

  get #python() {
    const { manifest = "", manifestSha256 = "", manifestSize = "0" } = this.dataset;
    const url = new URL(manifest, siteRoot).href;
    return pythonFor({ name: "manifest.json", url, sha256: manifestSha256, size: Number(manifestSize) });
  }

  #controls() {
    return /** @type {NodeListOf<Control>} */ (this.querySelectorAll("input[name], select[name]"));
  }

  #texts() {
    return Object.fromEntries(Array.from(this.#controls(), (control) => [control.name, control.value]));
  }

  /** Fields that differ from what the build wrote into them. */
  #changed() {
    return Object.fromEntries(
      Array.from(this.#controls())
        .filter((control) => control.value !== startOf(control))
        .map((control) => [control.name, control.value]),
    );
  }

  /** @param {Record<string, string>} texts @returns {boolean} whether any field was set */
  #restore(texts) {
    const named = Array.from(this.#controls()).filter((control) => control.name in texts);
    for (const control of named) setControl(control, texts[control.name]);
    return named.length > 0;
  }

  #edited() {
    showLink(linkWith(this.#name, this.#changed()));
    this.#recompute();
  }

  /** @param {Event} event */
  #clicked(event) {
    const button = /** @type {Element} */ (event.target).closest("button");
    const actions = /** @type {Record<string, () => void>} */ ({
      reset: () => this.#reset(),
      "next-step": () => this.#nextStep(),
      share: () => this.#share(),
      "copy-code": () => this.#copy(this.querySelector(".live-example__code code")?.textContent ?? "", "The code"),
      retry: () => this.#recompute(),
      start: () => {
        this.#mayDownload = true;
        this.#recompute();
      },
    });
    if (button) actions[button.name]?.();
  }

  #reset() {
    for (const control of this.#controls()) setControl(control, startOf(control));
    this.#edited();
  }

  async #nextStep() {
    if (this.#generation > 0 && !(await this.#recompute())) return;
    for (const control of this.#controls()) {
      if (control.name in this.#following) control.value = this.#following[control.name];
    }
    this.#edited();
  }

  #share() {
    const link = linkWith(this.#name, this.#changed());
    if (link.length > LONGEST_LINK) {
      this.#say(
        `A link with these values would have ${link.length} characters, more than the ${LONGEST_LINK} that work everywhere.`,
      );
    } else {
      this.#copy(link, "A link to these values");
    }
  }

  /** @param {string} text @param {string} what */
  async #copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      this.#say(`${what} was copied.`);
    } catch {
      this.#say(`This browser did not allow copying. ${what}: ${text}`);
    }
  }

  /** Ask Python for the results of the fields as they are now. @returns {Promise<boolean>} whether they are shown */
  async #recompute() {
    const generation = ++this.#generation;
    if (!this.#mayDownload && !this.#python.ready) {
      this.#say(
        `Nothing was downloaded, since you asked to save data. “Start Python” fetches ${this.dataset.download}.`,
      );
      this.#offer("start");
      return false;
    }
    this.#offer(undefined);
    this.dataset.state = this.#python.ready ? "running" : "loading";
    if (!this.#python.ready) this.#say(`Starting Python (${this.dataset.download}, once)…`);
    try {
      const answer = await this.#python.ask(
        this,
        { example: this.#name, texts: this.#texts() },
        {
          onProgress: (received, total) => this.#showProgress(generation, received / total),
          secondsAllowed: Number(this.dataset.seconds ?? SECONDS_TO_ANSWER),
        },
      );
      return generation === this.#generation && answer !== STALE && this.#show(answer);
    } catch (failure) {
      if (generation === this.#generation) this.#fail(/** @type {Error} */ (failure));
      return false;
    }
  }

  /** @param {any} answer @returns {boolean} */
  #show(answer) {
    this.dataset.state = "ready";
    this.#showErrors(answer.errors ?? {});
    if (answer.errors) {
      this.#say(
        `${Object.values(answer.errors).join(". ")}. The results shown are those of the last values that work.`,
      );
      return false;
    }
    const table = this.querySelector("table");
    if (table) showRows(table, answer.rows);
    const code = this.querySelector(".live-example__code code");
    if (code) code.textContent = answer.code;
    this.#following = answer.next;
    this.#say(`Recomputed in this browser. ${answer.sentence}`);
    return true;
  }

  /** @param {Record<string, string>} errors a sentence for each field that cannot be taken */
  #showErrors(errors) {
    for (const control of this.#controls()) {
      const message = /** @type {Element} */ (this.querySelector(`#${control.id}-message`));
      const text = errors[control.name] ?? "";
      if (message.textContent !== text) message.textContent = text;
      if (text) control.setAttribute("aria-invalid", "true");
      else control.removeAttribute("aria-invalid");
      if (text) control.closest("details")?.setAttribute("open", "");
    }
  }

  /** @param {Error} failure */
  #fail(failure) {
    this.dataset.state = "error";
    this.#say(`${failure.message}. The values shown are the last that were computed; your edits are kept.`);
    this.#offer("retry");
  }

  /** @param {number} generation @param {number} share */
  #showProgress(generation, share) {
    const progress = /** @type {HTMLProgressElement | null} */ (this.querySelector("progress"));
    if (progress && generation === this.#generation) progress.value = share;
  }

  /** Show one of the buttons that are needed only at times. @param {"retry" | "start" | undefined} name */
  #offer(name) {
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (
      this.querySelectorAll("button[name=retry], button[name=start]")
    )) {
      button.hidden = button.name !== name;
    }
  }

  /** @param {string} sentence */
  #say(sentence) {
    const status = /** @type {HTMLElement} */ (this.querySelector("[role=status]"));
    status.textContent = sentence;
  }
}

// Taken while the script is read: later there is no current script. It lies below assets/live/ of the site.
const siteRoot = /** @type {HTMLScriptElement} */ (document.currentScript).src.replace(/assets\/live\/.*$/, "");

/** @param {Control} control */
function startOf(control) {
  if (control instanceof HTMLInputElement) return control.defaultValue;
  return Array.from(control.options).find((option) => option.defaultSelected)?.value ?? "";
}

/** Set a control, unless it is a choice that does not offer this. @param {Control} control @param {string} text */
function setControl(control, text) {
  if (control instanceof HTMLInputElement || Array.from(control.options).some((option) => option.value === text)) {
    control.value = text;
  }
}
