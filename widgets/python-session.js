// One worker that runs Python: it is started, asked one thing at a time, and ended.

import { IMAGE } from "./file-names.js";
import limits from "./limits.json";
import { FileFailure } from "./verified-fetch.js";

/**
 * @typedef {import("./runtime-files.js").RuntimeFiles} RuntimeFiles
 * @typedef {import("./runtime-files.js").Part} Part
 * @typedef {{ id: number, type: "status" | "wanting" | "result" | "error", value?: any, json?: string,
 *   message?: string }} Reply
 * @typedef {{ onPartial?: (partial: any) => void, secondsAllowed?: number }} Options
 * @typedef {(received: number, total: number) => void} OnProgress
 */

const SCRIPT = "pyodide-worker.js";
const SECONDS_TO_START = 60;
export const SECONDS_TO_ANSWER = limits.secondsToAnswer;

/** The worker was stopped before it answered: because the reader `wanted` it, or because it took too long. */
export class NoAnswer extends Error {
  /** @param {string} message @param {boolean} wanted */
  constructor(message, wanted) {
    super(message);
    this.name = "NoAnswer";
    this.wanted = wanted;
  }
}

export class PythonSession {
  /** @type {Worker | undefined} */
  #worker;
  #address = "";
  /** @type {Error | undefined} what became of the worker */
  #broken;
  #lastId = 0;
  /** @type {(reason: Error) => void} */
  #giveUp = () => {};

  /** @param {RuntimeFiles} files */
  constructor(files) {
    this.files = files;
  }

  /**
   * Start Python from the memory image, or, where that fails, plainly.
   *
   * @param {OnProgress} onProgress
   */
  async start(onProgress) {
    if (this.files.offersImage) {
      try {
        return await this.#startFrom("image", onProgress);
      } catch (failure) {
        if (failure instanceof FileFailure && this.files.requires("plain", failure.file)) throw failure;
        // Another engine, a damaged image, a fault of ours: the plain start needs nothing that is special here.
        console.debug("Python starts the long way:", failure);
        this.end();
        if (failure instanceof FileFailure || failure instanceof NoAnswer) this.files.refuseImage();
        else this.files.refuseImageForGood();
      }
    }
    try {
      await this.#startFrom("plain", onProgress);
    } catch (failure) {
      this.files.allowImage();
      throw failure;
    }
  }

  /**
   * Start one way. Modules are handed to the worker as they come. Bytes move there for the time of the start, and so
   * wait until all has come: where a download fails, the others are not lost. Where the last to come is the memory image,
   * the worker has it before it is verified: to lay it in, and do nothing with it until told to start.
   *
   * @param {"image" | "plain"} purpose
   * @param {OnProgress} onProgress
   */
  async #startFrom(purpose, onProgress) {
    /** @type {[string, Part][]} */
    const waiting = [];
    let lent = {};
    let hasImage = false;
    const onLast = (/** @type {string} */ name, /** @type {ArrayBuffer} */ bytes) => {
      if (name !== IMAGE) return;
      hand(/** @type {Worker} */ (this.#worker), name, bytes);
      hasImage = true;
    };
    const onPart = (/** @type {string} */ name, /** @type {Part} */ part) => {
      if (name === SCRIPT) this.#makeWorker(/** @type {ArrayBuffer} */ (part), purpose);
      else if (this.#worker && part instanceof WebAssembly.Module) hand(this.#worker, name, part);
      else waiting.push([name, part]);
    };
    try {
      await this.files.get(purpose, onPart, onProgress, onLast);
      for (const [name, part] of waiting) {
        if (part instanceof ArrayBuffer) this.files.lend(name);
        if (name !== IMAGE || !hasImage) hand(/** @type {Worker} */ (this.#worker), name, part);
      }
      lent = await this.send({ type: "start" }, { secondsAllowed: SECONDS_TO_START });
    } finally {
      this.files.takeBack(lent);
      URL.revokeObjectURL(this.#address);
    }
    performance.mark("python-started", { detail: purpose });
  }

  /** @param {ArrayBuffer} script @param {"image" | "plain"} purpose */
  #makeWorker(script, purpose) {
    // The verified bytes themselves: their own address could by now give others. And a module is refused under any
    // other type.
    this.#address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const worker = new Worker(this.#address, { type: "module" });
    worker.onerror = (event) => {
      this.#broken = new Error(`Python's worker broke: ${event.message || "it could not be loaded"}`);
      this.#giveUp(this.#broken);
    };
    worker.postMessage({ type: "begin", purpose });
    this.#worker = worker;
  }

  /**
   * Send one message and wait for the reply with its id.
   *
   * @param {object} message
   * @param {Options} options
   * @returns {Promise<any>}
   */
  send(message, { onPartial, secondsAllowed = SECONDS_TO_ANSWER }) {
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
      /** @type {Record<Reply["type"], (reply: Reply) => void>} */
      const replies = {
        result: (reply) => resolve(contents(reply)),
        error: (reply) => reject(new Error(reply.message)),
        status(reply) {
          wait();
          onPartial?.(contents(reply));
        },
        wanting: () => {
          // A download takes its time, and the question does not pay for it.
          clearTimeout(timer);
          this.#handRest(worker).then(wait, reject);
        },
      };
      worker.onmessage = ({ data }) => data.id === id && replies[/** @type {Reply} */ (data).type](data);
      this.#giveUp = reject;
      if (this.#broken) return reject(this.#broken);
      wait();
      worker.postMessage({ id, ...message });
    }).finally(() => clearTimeout(timer));
  }

  /** Give the worker what the memory image leaves out. @param {Worker} worker */
  async #handRest(worker) {
    /** @type {Record<string, Part>} */
    const rest = {};
    await this.files.get("rest", (name, part) => {
      rest[name] = part;
    });
    // A copy: this one is not given back.
    worker.postMessage({ type: "part", name: "rest", part: rest });
  }

  /** Wait no longer for the reply to the last message. @param {Error} reason */
  giveUp(reason) {
    this.#giveUp(reason);
  }

  /** End it, whatever it does; it gives its memory back. */
  end() {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#broken = undefined;
  }
}

/** @param {Reply} reply */
function contents({ value, json }) {
  return json === undefined ? value : JSON.parse(json);
}

/** @param {Worker} worker @param {string} name @param {Part} part */
function hand(worker, name, part) {
  worker.postMessage({ type: "part", name, part }, part instanceof ArrayBuffer ? [part] : []);
}
