// Python for the whole visit: one worker, made at the first request, replaced when it hangs or breaks.

import { Parts } from "./parts.js";
import { RuntimeFiles } from "./runtime-files.js";

/**
 * @typedef {{ type: "run" | "rows" | "csv", example: string, texts: Record<string, string>, first?: number }} Question
 * @typedef {{ id: number, type: "status" | "wanting" | "result" | "error", value?: any, message?: string }} Reply
 * @typedef {{ onProgress?: (received: number, total: number) => void, onPartial?: (partial: any) => void, secondsAllowed?: number }} Options
 * @typedef {{ key: object, question: Question, options: Options, resolve: (value: any) => void, reject: (reason: Error) => void }} Job
 */

/** An answer nobody waits for any more, because the same asker has asked again. */
export const STALE = Symbol("stale");

const WORKER = "pyodide-worker.js";
const SECONDS_TO_START = 60;
const LOADER = "new WebAssembly.Memory({ shared: true, initial: 1, maximum: 1 }).buffer; onmessage = ({ data }) => import(data).then(() => postMessage(0), (e) => postMessage(String(e)))";
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
  /** @type {string | undefined} of the worker's script */
  #address;
  /** @type {Error | undefined} what became of the worker */
  #broken;
  /** @type {Promise<void> | undefined} */
  #started;
  /** @type {Job[]} */
  #queue = [];
  /** @type {(received: number, total: number) => void} that of the latest question: who asked before may be gone */
  #onProgress = () => {};
  #busy = false;
  /** Whether to try the memory image. */
  #quick = true;
  #lastId = 0;
  /** @type {(reason: Error) => void} */
  #giveUp = () => {};

  /** @param {RuntimeFiles} files */
  constructor(files) {
    this.files = files;
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
    this.#quick &&= this.files.offers("image");
    if (this.#quick) {
      try {
        return await this.#startFrom("image");
      } catch (failure) {
        // Another engine, a damaged image, a fault of ours: the long way asks for none of what the quick one does.
        console.debug("Python starts the long way:", failure);
        this.#discard();
        this.#quick = false;
      }
    }
    try {
      await this.#startFrom("plain");
    } catch (failure) {
      this.#quick = true;
      throw failure;
    }
  }

  /** Start a worker; each part is handed over as it arrives. @param {"image" | "plain"} purpose */
  async #startFrom(purpose) {
    const loaded = this.#makeWorker();
    const onPart = async (/** @type {string} */ name, /** @type {import("./runtime-files.js").Part} */ part) => {
      if (name === WORKER) this.#load(/** @type {ArrayBuffer} */ (part));
      const worker = await loaded;
      if (name === WORKER) worker.postMessage({ type: "begin", purpose });
      else worker.postMessage({ type: "part", name, part }, part instanceof ArrayBuffer ? [part] : []);
    };
    await this.files.get(purpose, onPart, (received, total) => this.#onProgress(received, total));
    await this.#send({ type: "start" }, { secondsAllowed: SECONDS_TO_START });
    this.files.complete = true;
    this.ready = true;
    performance.mark("python-started", { detail: purpose });
  }

  /** @returns {Promise<Worker>} */
  #makeWorker() {
    const worker = new Worker(URL.createObjectURL(new Blob([LOADER], { type: "text/javascript" })), { type: "module" });
    this.#worker = worker;
    return new Promise((resolve, reject) => {
      worker.onmessage = ({data}) => data ? reject(new Error(data)) : resolve(worker);
      worker.onerror = (event) => {
        this.#broken = new Error(`Python's worker broke: ${event.message || "it could not be loaded"}`);
        this.#giveUp(this.#broken);
        reject(this.#broken);
      };
    });
  }

  /** @param {ArrayBuffer} script */
  #load(script) {
    // The verified bytes themselves: their own address could by now give others. And a module is refused under any
    // type but this, whatever the server called it.
    this.#address ??= URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.#worker?.postMessage(this.#address);
  }

  /** Give the worker what the memory image leaves out. @param {Worker} worker */
  async #handRest(worker) {
    /** @type {Record<string, import("./runtime-files.js").Part>} */
    const files = {};
    await this.files.get("rest", (name, part) => {
      files[name] = part;
    });
    worker.postMessage({ type: "part", name: "rest", part: files });
  }

  #discard() {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#broken = undefined;
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
        else if (data.type === "wanting") {
          clearTimeout(timer);
          this.#handRest(worker).then(wait, reject);
        } else {
          wait();
          onPartial?.(data.value);
        }
      };
      if (this.#broken) return reject(this.#broken);
      wait();
      worker.postMessage({ id, ...message });
    }).finally(() => clearTimeout(timer));
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
