// One worker that runs Python: it is started, asked one thing at a time, and ended.

/**
 * @typedef {import("./runtime-files.js").RuntimeFiles} RuntimeFiles
 * @typedef {{ id: number, type: "status" | "result" | "error", value?: any, message?: string }} Reply
 * @typedef {{ onPartial?: (partial: any) => void, secondsAllowed?: number }} Options
 * @typedef {(received: number, total: number) => void} OnProgress
 */

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

export class PythonSession {
  /** @type {Worker | undefined} */
  #worker;
  #lastId = 0;
  /** @type {(reason: Error) => void} */
  #giveUp = () => {};

  /** @param {RuntimeFiles} files */
  constructor(files) {
    this.files = files;
  }

  /** @param {OnProgress} onProgress */
  async start(onProgress) {
    const { worker, core, files } = await this.files.get(onProgress);
    // The verified bytes themselves: the address could by now give others.
    const address = URL.createObjectURL(worker);
    try {
      this.#worker = new Worker(address, { type: "module" });
      await this.send({ type: "start", core, files }, { secondsAllowed: SECONDS_TO_START });
    } finally {
      URL.revokeObjectURL(address);
    }
    performance.mark("python-started");
  }

  /**
   * Send one message and wait for the reply with its id.
   *
   * @param {object} message
   * @param {Options} options
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

  /** Wait no longer for the reply to the last message. @param {Error} reason */
  giveUp(reason) {
    this.#giveUp(reason);
  }

  /** End it, whatever it does; it gives its memory back. */
  end() {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}
