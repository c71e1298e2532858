// One Python from its start to its end: a worker, and what is said to it.

/**
 * @typedef {import("./runtime-files.js").RuntimeFiles} RuntimeFiles
 * @typedef {import("./runtime-files.js").Part} Part
 * @typedef {{ id: number, type: "status" | "wanting" | "result" | "error", value?: any, message?: string }} Reply
 * @typedef {{ onPartial?: (partial: any) => void, secondsAllowed?: number }} Patience
 */

const SCRIPT = "pyodide-worker.js";
const SECONDS_TO_START = 60;
export const SECONDS_TO_ANSWER = 10;

// A worker takes a while to exist, and does so while its script is on the way. The shared memory is one that Pyodide
// makes too: the browser complains of the first, and to say where it reads the whole script around it again.
const LOADER = `
  new WebAssembly.Memory({ shared: true, initial: 1, maximum: 1 }).buffer;
  onmessage = ({ data }) => import(data).then(() => postMessage(""), (error) => postMessage(String(error)));
`;

/** The worker was stopped before it answered: because the reader `wanted` it, or because it took too long. */
export class NoAnswer extends Error {
  /** @param {string} message @param {boolean} wanted */
  constructor(message, wanted) {
    super(message);
    this.name = "NoAnswer";
    this.wanted = wanted;
  }
}

export class PythonProcess {
  #worker;
  #lastId = 0;
  /** @type {Error | undefined} */
  #broken;
  /** @type {(reason: Error) => void} */
  #reject = () => {};

  /** @param {RuntimeFiles} files */
  constructor(files) {
    this.files = files;
    loaderAddress ??= addressOf(LOADER);
    this.#worker = new Worker(loaderAddress, { type: "module" });
    this.#worker.onerror = (event) => {
      this.#broken = new Error(`Python's worker broke: ${event.message || "it could not be loaded"}`);
      this.#reject(this.#broken);
    };
  }

  /**
   * Start Python. Each part of it is handed to the worker as soon as it is there.
   *
   * @param {"image" | "plain"} purpose
   * @param {(received: number, total: number) => void} onProgress
   */
  async start(purpose, onProgress) {
    /** @type {(script: ArrayBuffer) => void} */
    let load = () => {};
    const loaded = new Promise((resolve) => {
      load = resolve;
    }).then((script) => this.#load(script));
    const onPart = async (/** @type {string} */ name, /** @type {Part} */ part) => {
      if (name === SCRIPT) load(/** @type {ArrayBuffer} */ (part));
      await loaded;
      if (name === SCRIPT) this.#worker.postMessage({ type: "begin", purpose });
      else this.#hand(name, part);
    };
    await this.files.get(purpose, onPart, onProgress);
    await this.ask({ type: "start" }, { secondsAllowed: SECONDS_TO_START });
  }

  /**
   * Send one message and wait for the reply with its id.
   *
   * @param {object} message
   * @param {Patience} patience
   * @returns {Promise<any>}
   */
  ask(message, { onPartial, secondsAllowed = SECONDS_TO_ANSWER }) {
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
        result: ({ value }) => resolve(value),
        error: (reply) => reject(new Error(reply.message)),
        status({ value }) {
          wait();
          onPartial?.(value);
        },
        wanting: () => {
          // How long a download takes is not held against the question.
          clearTimeout(timer);
          this.#handRest().then(wait, reject);
        },
      };
      this.#reject = reject;
      if (this.#broken) return reject(this.#broken);
      this.#worker.onmessage = ({ data }) => data.id === id && replies[/** @type {Reply} */ (data).type](data);
      wait();
      this.#worker.postMessage({ id, ...message });
    }).finally(() => clearTimeout(timer));
  }

  /** Let whoever waits for an answer have this instead. @param {Error} reason */
  giveUp(reason) {
    this.#reject(reason);
  }

  end() {
    this.#worker.terminate();
  }

  /** Load the worker's script: the verified bytes, since its address could by now give others. @param {any} script */
  async #load(script) {
    const address = addressOf(script);
    try {
      await new Promise((resolve, reject) => {
        this.#reject = reject;
        if (this.#broken) return reject(this.#broken);
        this.#worker.onmessage = ({ data }) => resolve(data);
        this.#worker.postMessage(address);
      }).then((problem) => {
        if (problem) throw new Error(`Python's worker broke: ${problem}`);
      });
    } finally {
      URL.revokeObjectURL(address);
    }
  }

  /** @param {string} name @param {Part | Record<string, Part>} part */
  #hand(name, part) {
    this.#worker.postMessage({ type: "part", name, part }, part instanceof ArrayBuffer ? [part] : []);
  }

  /** Give the worker what the memory image leaves out. */
  async #handRest() {
    /** @type {Record<string, Part>} */
    const rest = {};
    await this.files.get("rest", (name, part) => {
      rest[name] = part;
    });
    this.#hand("rest", rest);
  }
}

/** @type {string | undefined} kept for the whole visit: browsers differ in when they have done with it */
let loaderAddress;

/** @param {BlobPart} script */
function addressOf(script) {
  // A module is refused under any other type.
  return URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
}
