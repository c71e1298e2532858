// <live-example>: fields that the reader edits, results that Python recomputes.
// Without this script, or until Python has answered, the element shows what the build computed.

import { changedOf, controlsOf, resetControls, restoreControls, showErrors, textsOf } from "./controls.js";
import { pythonFor, SECONDS_TO_ANSWER, STALE } from "./python.js";
import { showRows } from "./step-table.js";
import { obstacle, savesData } from "./support.js";
import { LONGEST_LINK, linkWith, readState, showLink } from "./url-state.js";

// Browsers limit how often an address may change, some by an exception: not at every key, but at every pause.
const MILLISECONDS_TO_LINK = 300;

export class LiveExample extends HTMLElement {
  #listening = new AbortController();
  #generation = 0;
  #mayDownload = false;
  #steps = Promise.resolve();
  #linkTimer = 0;
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
      for (const control of controlsOf(this)) control.disabled = true;
      return;
    }
    this.toggleAttribute("data-live", true);
    this.addEventListener("input", () => this.#edited(), { signal });
    this.addEventListener("click", (event) => this.#clicked(event), { signal });
    if (restoreControls(this, readState(this.#name))) this.#recompute();
  }

  disconnectedCallback() {
    this.#listening.abort();
    clearTimeout(this.#linkTimer);
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

  #edited() {
    clearTimeout(this.#linkTimer);
    this.#linkTimer = setTimeout(() => showLink(linkWith(this.#name, changedOf(this))), MILLISECONDS_TO_LINK);
    this.#recompute();
  }

  /** @param {Event} event */
  #clicked(event) {
    const button = /** @type {Element} */ (event.target).closest("button");
    const actions = /** @type {Record<string, () => void>} */ ({
      reset: () => this.#reset(),
      "next-step": () => {
        // One after the other: each click counts, also while Python is starting.
        this.#steps = this.#steps.then(() => this.#nextStep());
      },
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
    resetControls(this);
    // Before the first edit the page shows the start already.
    if (this.#generation > 0) this.#edited();
  }

  async #nextStep() {
    if (this.#generation > 0 && !(await this.#recompute())) return;
    if (!this.isConnected) return;
    restoreControls(this, this.#following);
    this.#edited();
  }

  #share() {
    const link = linkWith(this.#name, changedOf(this));
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
    if (!this.#mayDownload && !this.#python.files.complete) {
      this.#say(
        `Nothing was downloaded, since you asked to save data. “Start Python” fetches ${this.dataset.download}.`,
      );
      this.#offer("start");
      return false;
    }
    this.#offer(undefined);
    this.dataset.state = this.#python.ready ? "running" : "loading";
    if (!this.#python.ready) {
      this.#say(this.#python.files.complete ? "Starting Python…" : `Starting Python (${this.dataset.download}, once)…`);
    }
    try {
      const answer = await this.#python.ask(
        this,
        { example: this.#name, texts: textsOf(this) },
        {
          onProgress: (received, total) => this.#showProgress(received / total),
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
    showErrors(this, answer.errors ?? {});
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

  /** @param {Error} failure */
  #fail(failure) {
    this.dataset.state = "error";
    this.#say(`${failure.message}. The values shown are the last that were computed; your edits are kept.`);
    this.#offer("retry");
  }

  /** @param {number} share */
  #showProgress(share) {
    const progress = /** @type {HTMLProgressElement | null} */ (this.querySelector("progress"));
    if (progress) progress.value = share;
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
