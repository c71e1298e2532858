// Python for the whole visit: one worker, made at the first request, replaced when it hangs or breaks.

import { RuntimeFiles } from "./runtime-files.js";

/**
 * @typedef {import("./verified-fetch.js").SiteFile} SiteFile
 * @typedef {{ type: "run" | "rows" | "csv", example: string, texts: Record<string, string>, first?: number }} Question
 * @typedef {{ id: number, type: "status" | "result" | "error", value?: any, message?: string }} Reply
 * @typedef {{ onProgress?: (received: number, total: number) => void, onPartial?: (partial: any) => void, secondsAllowed?: number }} Options
 * @typedef {{ key: object, question: Question, options: Options, resolve: (value: any) => void, reject: (reason: Error) => void }} Job
 */

/** An answer nobody waits for any more, because the same asker has asked again. */
export const STALE = Symbol("stale");

const SECONDS_TO_START = 60;
export const SECONDS_TO_ANSWER = 10;

/** The worker was stopped before it answered: because the reader `wanted` it, or because it took too long. */
export class NoAnswer extends Error {
  /** @param {string} message @param {boolean} wanted */
  constructor(message, wanted) {
    super(message);
    this.name = "NoAnswer";
    this.wanted = wanted;
  }
}

export class Python {
  /** @type {Worker | undefined} */
  #worker;
  /** @type {Promise<void> | undefined} */
  #started;
  /** @type {Job[]} */
  #queue = [];
  /** @type {(received: number, total: number) => void} that of the latest question: who asked before may be gone */
  #onProgress = () => {};
  #busy = false;
  #lastId = 0;
  /** @type {(reason: Error) => void} */
  #giveUp = () => {};

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
    this.#giveUp(new NoAnswer("Stopped", true));
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
      resolve(await this.#send(question, options));
    } catch (failure) {
      this.#discard();
      reject(/** @type {Error} */ (failure));
    }
  }

  async #start() {
    const { worker, core, files } = await this.files.get((received, total) => this.#onProgress(received, total));
    // The verified bytes themselves: the address could by now give others.
    const address = URL.createObjectURL(worker);
    try {
      this.#worker = new Worker(address, { type: "module" });
      await this.#send({ type: "start", core, files }, { secondsAllowed: SECONDS_TO_START });
    } finally {
      URL.revokeObjectURL(address);
    }
    this.ready = true;
  }

  #discard() {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#started = undefined;
    this.ready = false;
  }

  /**
   * Send one message and wait for the reply with its id.
   *
   * @param {object} message
   * @param {Options} options
   */
  #send(message, { onPartial, secondsAllowed = SECONDS_TO_ANSWER }) {
    const worker = /** @type {Worker} */ (this.#worker);
    const id = ++this.#lastId;
    /** @type {ReturnType<typeof setTimeout>} */
    let timer;
    return new Promise((resolve, reject) => {
      const wait = () => {
        clearTimeout(timer);
        const late = `Python gave no answer within ${secondsAllowed} seconds and was stopped`;
        timer = setTimeout(() => reject(new NoAnswer(late, false)), secondsAllowed * 1000);
      };
      this.#giveUp = reject;
      worker.onmessage = (/** @type {MessageEvent<Reply>} */ { data }) => {
        if (data.id !== id) return;
        if (data.type === "result") resolve(data.value);
        else if (data.type === "error") reject(new Error(data.message));
        else {
          wait();
          onPartial?.(data.value);
        }
      };
      worker.onerror = (event) => {
        reject(new Error(`Python's worker broke: ${event.message || "it could not be loaded"}`));
      };
      wait();
      worker.postMessage({ id, ...message });
    }).finally(() => clearTimeout(timer));
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
