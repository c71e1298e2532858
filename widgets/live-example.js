// <live-example>: fields that the reader edits, results that Python recomputes.
// Without this script, or until Python has answered, the element shows what the build computed.

import { partsOf } from "./built-parts.js";
import {
  changedOf,
  controlsOf,
  resetControls,
  restoreControls,
  showErrors,
  startTextsOf,
  textsOf,
} from "./controls.js";
import { showDownload } from "./download-view.js";
import { drawn } from "./drawn.js";
import { ExampleTable } from "./example-table.js";
import { LatePlot } from "./late-plot.js";
import { offer } from "./offered-buttons.js";
import { keepStartValues, provePage, proveRun } from "./proof.js";
import { NoAnswer, pythonFor, SECONDS_TO_ANSWER, STALE } from "./python.js";
import { showResults } from "./results-view.js";
import { siteRoot } from "./site-root.js";
import { obstacle, savesData } from "./support.js";
import { copy, copyLink, download } from "./take-away.js";
import { TraceSwitch } from "./trace-switch.js";
import { linkWith, readState, showLink } from "./url-state.js";

// Browsers limit how often an address may change, some by an exception: not at every key, but at every pause.
const MILLISECONDS_TO_LINK = 300;
const DOWNLOAD = "“Download CSV” gives it as a file.";

export class LiveExample extends HTMLElement {
  #listening = new AbortController();
  #generation = 0;
  #mayDownload = false;
  #steps = Promise.resolve();
  #linkTimer = 0;
  /** @type {Record<string, string>} */
  #following = {};
  /** What stood in the fields for the results that are shown. @type {Record<string, string>} */
  #shown = {};
  /** @type {LatePlot | undefined} */
  #plot;
  /** @type {TraceSwitch | undefined} */
  #trace;
  /** @type {ExampleTable | undefined} */
  #table;

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
    this.#connectFigure(signal);
    this.#trace = new TraceSwitch(this);
    this.#shown = startTextsOf(this);
    this.#table = new ExampleTable(this, (key, question) =>
      this.#python.ask(key, { ...question, example: this.#name, texts: this.#shown }),
    );
    this.#table.listen(signal);
    keepStartValues(this);
    if (restoreControls(this, readState(this.#name))) this.#recompute();
    else if (this.#python.ready) provePage(this.#python);
  }

  disconnectedCallback() {
    this.#listening.abort();
    this.#plot?.stop();
    clearTimeout(this.#linkTimer);
    this.#generation++;
    // A long run would keep the next page's examples waiting.
    if (this.#streams) this.#python.stop(this);
  }

  get #name() {
    return /** @type {string} */ (this.getAttribute("name"));
  }

  get #streams() {
    return this.dataset.streams !== undefined;
  }

  get #python() {
    return pythonFor(this.dataset.runtime ?? "", siteRoot);
  }

  /** @param {AbortSignal} signal */
  #connectFigure(signal) {
    const figure = /** @type {HTMLElement | null} */ (this.querySelector(".live-example__figure"));
    if (!figure) return;
    this.#plot = new LatePlot(figure);
    const awaken = () => this.#plot?.awaken().catch((failure) => this.#say(failure.message));
    figure.addEventListener("pointerenter", awaken, { signal });
  }

  get #code() {
    return this.querySelector(".live-example__code code")?.textContent ?? "";
  }

  #edited() {
    clearTimeout(this.#linkTimer);
    const { pathname } = location;
    this.#linkTimer = setTimeout(() => {
      // A link that was followed meanwhile has set the address already, and its page is on the way.
      if (location.pathname === pathname) showLink(linkWith(this.#name, changedOf(this)));
    }, MILLISECONDS_TO_LINK);
    if (!this.#streams) this.#recompute();
  }

  /** @param {Event} event */
  #clicked(event) {
    const button = /** @type {Element} */ (event.target).closest("button");
    const actions = /** @type {Record<string, () => void>} */ ({
      run: () => this.#recompute(),
      stop: () => this.#python.stop(this),
      retry: () => this.#recompute(),
      start: () => {
        this.#mayDownload = true;
        this.#recompute();
      },
      reset: () => this.#setTo(),
      preset: () => this.#setTo(JSON.parse(button?.dataset.texts ?? "{}")),
      trace: () => this.#trace?.toggle(),
      "next-step": () => {
        // One after the other: each click counts, also while Python is starting.
        this.#steps = this.#steps.then(() => this.#nextStep());
      },
      share: async () => this.#say(await copyLink(this)),
      "copy-code": async () => this.#say(await copy(this.#code, "The code", "It stands below.")),
      "copy-table": async () => this.#say(await this.#table?.give((csv) => copy(csv, "The table", DOWNLOAD))),
      "download-table": async () => this.#say(await this.#table?.give((csv) => download(`${this.#name}.csv`, csv))),
    });
    if (button) actions[button.name]?.();
  }

  /** @param {Record<string, string>} [texts] of fields that get another text than their start */
  #setTo(texts) {
    const wasChanged = Object.keys(changedOf(this)).length > 0;
    resetControls(this, texts);
    // Before the first edit the page shows the start already.
    if (this.#generation > 0 || texts || wasChanged) this.#edited();
  }

  async #nextStep() {
    if (this.#generation > 0 && !(await this.#recompute())) return;
    if (!this.isConnected) return;
    restoreControls(this, this.#following);
    this.#edited();
  }

  /** Ask Python for the results of the fields as they are now. @returns {Promise<boolean>} whether they are shown */
  async #recompute() {
    const generation = ++this.#generation;
    const current = () => generation === this.#generation;
    if (!this.#mayDownload && !this.#python.files.complete) {
      this.#say(
        `Nothing was downloaded, since you asked to save data. “Start Python” fetches ${this.dataset.download}.`,
      );
      offer(this, "start");
      return false;
    }
    offer(this, this.#streams ? "stop" : undefined);
    this.dataset.state = this.#python.ready ? "running" : "loading";
    if (!this.#python.ready) {
      this.#say(this.#python.files.complete ? "Starting Python…" : `Starting Python (${this.dataset.download}, once)…`);
    }
    const question = { type: /** @type {const} */ ("run"), example: this.#name, texts: textsOf(this) };
    try {
      const answer = await this.#python.ask(this, question, {
        onProgress: (received, total) => current() && showDownload(this, received, total),
        onPartial: (partial) => current() && this.#showPartial(partial, question.texts),
        secondsAllowed: Number(this.dataset.seconds ?? SECONDS_TO_ANSWER),
      });
      return current() && answer !== STALE && this.#show(answer, question.texts);
    } catch (failure) {
      if (current()) this.#fail(/** @type {Error} */ (failure));
      return false;
    }
  }

  /** @param {any} answer @param {Record<string, string>} texts that it answers @returns {boolean} */
  #show(answer, texts) {
    this.dataset.state = "ready";
    offer(this, undefined);
    showErrors(this, answer.errors ?? {});
    provePage(this.#python);
    if (answer.errors) {
      const sentences = Object.values(answer.errors).join(". ");
      this.#say(`${sentences}. The results shown are those of the last values that work.`);
      return false;
    }
    this.#showParts(answer, texts, "show");
    // Who was at the end of the last table may be at the end of this one, where no scrolling asks for more.
    drawn().then(() => this.#table?.drawAhead());
    this.#following = answer.next;
    this.#say(`Recomputed in this browser. ${answer.sentence}`);
    if (this.#streams) proveRun(this, answer);
    return true;
  }

  /**
   * What a working example has got so far; announced only at the end.
   *
   * @param {any} partial
   * @param {Record<string, string>} texts
   */
  #showPartial(partial, texts) {
    this.dataset.state = "running";
    this.#showParts(partial, texts, "follow");
  }

  /** @param {any} answer @param {Record<string, string>} texts @param {"show" | "follow"} how its figure is drawn */
  #showParts(answer, texts, how) {
    this.#shown = texts;
    showResults(this, answer);
    this.#trace?.update();
    this.#showProgress(answer.progress);
    if (answer.figure) this.#plot?.[how](answer.figure).catch((failure) => this.#say(failure.message));
  }

  /** @param {Error} failure */
  #fail(failure) {
    const stopped = failure instanceof NoAnswer && failure.wanted;
    this.dataset.state = stopped ? "ready" : "error";
    offer(this, stopped ? undefined : "retry");
    this.#plot?.catchUp().catch(console.debug);
    const lost = (this.#streams && this.#table?.close()) || "";
    this.#say(`${failure.message}. The values shown are the last that were computed; your edits are kept.${lost}`);
  }

  /** @param {number | null} share done of a long work */
  #showProgress(share) {
    const [progress] = /** @type {HTMLProgressElement[]} */ (partsOf(this, ".live-example__work"));
    if (progress && share !== null) progress.value = share;
  }

  /** @param {string} [sentence] */
  #say(sentence = "") {
    partsOf(this, "[role=status]")[0].textContent = sentence;
  }
}
