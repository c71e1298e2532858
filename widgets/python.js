// Python for the whole visit: one worker, made at the first request, replaced when it hangs or breaks.

import { RuntimeFiles } from "./runtime-files.js";

/**
 * @typedef {import("./verified-fetch.js").SiteFile} SiteFile
 * @typedef {{ example: string, texts: Record<string, string> }} Question
 * @typedef {{ id: number, type: "status" | "result" | "error", value?: any, message?: string }} Reply
 * @typedef {(received: number, total: number) => void} OnProgress
 * @typedef {{ onProgress?: OnProgress, secondsAllowed?: number }} Options
 * @typedef {{ resolve: (value: any) => void, reject: (reason: Error) => void }} Waiting
 * @typedef {{ key: object, question: Question, secondsAllowed: number } & Waiting} Job
 */

/** An answer nobody waits for any more, because the same asker has asked again. */
export const STALE = Symbol("stale");

const SECONDS_TO_START = 60;
export const SECONDS_TO_ANSWER = 10;

/** The worker gave no answer in time and was replaced. */
export class NoAnswer extends Error {
  /** @param {number} seconds */
  constructor(seconds) {
    super(`Python gave no answer within ${seconds} seconds and was stopped`);
    this.name = "NoAnswer";
  }
}

export class Python {
  /** @type {Worker | undefined} */
  #worker;
  /** @type {Promise<void> | undefined} */
  #started;
  /** @type {Job[]} */
  #queue = [];
  /** @type {OnProgress} that of the latest question: whoever asked before may have left the page */
  #onProgress = () => {};
  #busy = false;
  #lastId = 0;

  /** @param {SiteFile} manifestFile */
  constructor(manifestFile) {
    this.files = new RuntimeFiles(manifestFile);
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
  ask(key, question, { onProgress = () => {}, secondsAllowed = SECONDS_TO_ANSWER } = {}) {
    this.#queue = this.#queue.filter((job) => {
      if (job.key === key) job.resolve(STALE);
      return job.key !== key;
    });
    this.#onProgress = onProgress;
    return new Promise((resolve, reject) => {
      this.#queue.push({ key, question, secondsAllowed, resolve, reject });
      this.#work();
    });
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
        this.#stop();
        for (const job of this.#queue.splice(0)) job.reject(/** @type {Error} */ (failure));
      }
    }
    this.#busy = false;
  }

  /** @param {Job} job */
  async #answer(job) {
    try {
      job.resolve(await this.#send({ type: "run", ...job.question }, job.secondsAllowed));
    } catch (failure) {
      this.#stop();
      job.reject(/** @type {Error} */ (failure));
    }
  }

  async #start() {
    const { worker, core, files } = await this.files.get((received, total) => this.#onProgress(received, total));
    // The verified bytes themselves: the address could by now give others.
    const address = URL.createObjectURL(worker);
    try {
      this.#worker = new Worker(address, { type: "module" });
      await this.#send({ type: "start", core, files }, SECONDS_TO_START);
    } finally {
      URL.revokeObjectURL(address);
    }
    this.ready = true;
  }

  #stop() {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#started = undefined;
    this.ready = false;
  }

  /**
   * Send one message and wait for the reply with its id.
   *
   * @param {object} message
   * @param {number} seconds
   */
  #send(message, seconds) {
    const worker = /** @type {Worker} */ (this.#worker);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new NoAnswer(seconds)), seconds * 1000);
      worker.onmessage = (/** @type {MessageEvent<Reply>} */ { data }) => {
        if (data.id !== id || data.type === "status") return;
        clearTimeout(timer);
        if (data.type === "result") resolve(data.value);
        else reject(new Error(data.message));
      };
      worker.onerror = (event) => {
        clearTimeout(timer);
        reject(new Error(`Python's worker broke: ${event.message || "it could not be loaded"}`));
      };
      worker.postMessage({ id, ...message });
    });
  }
}

/** @type {Map<string, Python>} */
const byManifest = new Map();

/**
 * The one Python of this visit for the files that a page was built with.
 *
 * @param {SiteFile} manifestFile
 */
export function pythonFor(manifestFile) {
  const known = byManifest.get(manifestFile.url) ?? new Python(manifestFile);
  byManifest.set(manifestFile.url, known);
  return known;
}
