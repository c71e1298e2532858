// Python for the whole visit: one process, started at the first request, replaced when it hangs or breaks.

import { NoAnswer, PythonProcess } from "./python-process.js";
import { RuntimeFiles } from "./runtime-files.js";

export { NoAnswer, SECONDS_TO_ANSWER } from "./python-process.js";

/**
 * @typedef {{ type: "run" | "rows" | "csv", example: string, texts: Record<string, string>, first?: number }} Question
 * @typedef {{ onProgress?: (received: number, total: number) => void, onPartial?: (partial: any) => void, secondsAllowed?: number }} Options
 * @typedef {{ key: object, question: Question, options: Options, resolve: (value: any) => void, reject: (reason: Error) => void }} Job
 */

/** An answer nobody waits for any more, because the same asker has asked again. */
export const STALE = Symbol("stale");

export class Python {
  /** @type {PythonProcess | undefined} */
  #process;
  /** @type {Promise<void> | undefined} */
  #started;
  /** @type {Job[]} */
  #queue = [];
  /** @type {(received: number, total: number) => void} that of the latest question: who asked before may be gone */
  #onProgress = () => {};
  #busy = false;
  /** Whether to start from the memory image: until that has failed. */
  #quick;

  /** @param {RuntimeFiles} files */
  constructor(files) {
    this.files = files;
    this.#quick = files.offers("image");
  }

  /** True once a question can be answered without starting anything. */
  ready = false;

  /**
   * Ask, starting Python first where it is not running. A later question of the same `key` makes an earlier one
   * that is still waiting resolve to `STALE`.
   *
   * @param {object} key
   * @param {Question} question
   * @param {Options} [options]
   * @returns {Promise<any>}
   */
  ask(key, question, options = {}) {
    this.#queue = this.#queue.filter((job) => {
      if (job.key === key) job.resolve(STALE);
      return job.key !== key;
    });
    this.#onProgress = options.onProgress ?? (() => {});
    return new Promise((resolve, reject) => {
      this.#queue.push({ key, question, options, resolve, reject });
      this.#work();
    });
  }

  /** Stop what Python is doing now; its asker gets `NoAnswer`. */
  stop() {
    this.#process?.giveUp(new NoAnswer("Stopped", true));
  }

  async #work() {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#queue.length > 0) {
      try {
        this.#started ??= this.#start();
        await this.#started;
        // Taken only now: while Python starts, a later question takes the place of an earlier one.
        await this.#answer(/** @type {Job} */ (this.#queue.shift()));
      } catch (failure) {
        this.#discard();
        for (const job of this.#queue.splice(0)) job.reject(/** @type {Error} */ (failure));
      }
    }
    this.#busy = false;
  }

  /** @param {Job} job */
  async #answer({ question, options, resolve, reject }) {
    try {
      resolve(await this.#process?.ask(question, options));
    } catch (failure) {
      this.#discard();
      reject(/** @type {Error} */ (failure));
    }
  }

  async #start() {
    if (this.#quick) {
      try {
        return await this.#startFrom("image");
      } catch (failure) {
        if (failure instanceof NoAnswer && failure.wanted) throw failure;
        // Another engine, a damaged image, a fault of ours: the plain start needs nothing of what the quick one does.
        console.debug("Python starts the long way:", failure);
        this.#process?.end();
      }
    }
    this.#quick = false;
    try {
      await this.#startFrom("plain");
    } catch (failure) {
      this.#quick = this.files.offers("image");
      throw failure;
    }
  }

  /** @param {"image" | "plain"} purpose */
  async #startFrom(purpose) {
    this.#process = new PythonProcess(this.files);
    await this.#process.start(purpose, (received, total) => this.#onProgress(received, total));
    this.files.complete = true;
    this.ready = true;
    performance.mark("python-started", { detail: purpose });
  }

  #discard() {
    this.#process?.end();
    this.#process = undefined;
    this.#started = undefined;
    this.ready = false;
  }
}

/** @type {Map<string, Python>} */
const byRuntime = new Map();

/**
 * The one Python of this visit for the runtime that a page was built with.
 *
 * @param {string} runtime as the page names it, in JSON
 * @param {string} siteRoot
 */
export function pythonFor(runtime, siteRoot) {
  const known = byRuntime.get(runtime) ?? new Python(new RuntimeFiles(JSON.parse(runtime), siteRoot));
  byRuntime.set(runtime, known);
  return known;
}
