// Python for the whole visit: one session, made at the first request, replaced when it hangs or breaks.

import { NoAnswer, PythonSession } from "./python-session.js";
import { RuntimeFiles } from "./runtime-files.js";
import { SpareSession } from "./spare-session.js";

/**
 * @typedef {{ type: "run" | "rows" | "csv", example: string, texts: Record<string, string>, first?: number,
 *     isProof?: boolean }
 *   | { type: "check", exercise: string, text: string } | { type: "source", path: string }} Question
 * @typedef {import("./python-session.js").Options & { onProgress?: import("./python-session.js").OnProgress }} Options
 * @typedef {{ key: object, question: Question, options: Options, resolve: (value: any) => void, reject: (reason: Error) => void }} Job
 */

export { NoAnswer, SECONDS_TO_ANSWER } from "./python-session.js";

/** What runs a reader's own code, which may leave anything behind: replaced functions, taken memory, deleted files. */
const LEAVES_TRACES = "check";

/** An answer nobody waits for any more, because the same asker has asked again. */
export const STALE = Symbol("stale");

export class Python {
  /** @type {PythonSession | undefined} */
  #session;
  /** @type {Promise<void> | undefined} */
  #started;
  /** @type {Job[]} */
  #queue = [];
  /** @type {(received: number, total: number) => void} that of the latest question: who asked before may be gone */
  #onProgress = () => {};
  #busy = false;
  #isUp = false;
  #isStarting = false;
  /** @type {object | undefined} the key of the question that is being answered */
  #answering;

  /** @param {RuntimeFiles} files */
  constructor(files) {
    this.files = files;
    // Two starts at once would get in each other's way, and a spare is not worth a download.
    const mayStart = () => !this.#isStarting && files.complete;
    this.spare = new SpareSession(() => new PythonSession(files), mayStart);
  }

  /** True once a question can be answered without starting anything. */
  get ready() {
    return this.#isUp || this.spare.isReady;
  }

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
    for (const job of this.#withdraw(key)) job.resolve(STALE);
    this.#onProgress = options.onProgress ?? (() => {});
    return new Promise((resolve, reject) => {
      this.#queue.push({ key, question, options, resolve, reject });
      this.#work();
    });
  }

  /** Stop what was asked with `key`, whether it waits or is being answered; its asker gets `NoAnswer`. @param {object} key */
  stop(key) {
    const stopped = new NoAnswer("Stopped", true);
    for (const job of this.#withdraw(key)) job.reject(stopped);
    if (this.#answering === key) this.#session?.giveUp(stopped);
  }

  /** Take the questions of `key` that wait out of the queue. @param {object} key */
  #withdraw(key) {
    const withdrawn = this.#queue.filter((job) => job.key === key);
    this.#queue = this.#queue.filter((job) => job.key !== key);
    return withdrawn;
  }

  async #work() {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#queue.length > 0) {
      try {
        this.#started ??= this.#start();
        await this.#started;
        // Taken only now: while Python starts, a later question takes the place of an earlier one.
        const job = this.#queue.shift();
        if (job) await this.#answer(/** @type {PythonSession} */ (this.#session), job);
      } catch (failure) {
        this.#discard();
        for (const job of this.#queue.splice(0)) job.reject(/** @type {Error} */ (failure));
      }
    }
    this.#busy = false;
  }

  /** @param {PythonSession} session @param {Job} job */
  async #answer(session, { key, question, options, resolve, reject }) {
    this.#answering = key;
    try {
      const answer = await session.send(question, options);
      if (question.type === LEAVES_TRACES) this.#discard();
      resolve(answer);
    } catch (failure) {
      // An example does not break Python. Should the memory image have done so, the next start does without.
      if (question.type === "run" && !(failure instanceof NoAnswer)) this.files.refuseImage();
      this.#discard();
      reject(/** @type {Error} */ (failure));
    }
    this.#answering = undefined;
  }

  async #start() {
    this.#session = await this.spare.take();
    if (!this.#session) {
      this.#session = new PythonSession(this.files);
      this.#isStarting = true;
      try {
        await this.#session.start((received, total) => this.#onProgress(received, total));
      } finally {
        this.#isStarting = false;
      }
    }
    this.#isUp = true;
  }

  #discard() {
    this.#session?.end();
    this.#session = undefined;
    this.#started = undefined;
    this.#isUp = false;
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
