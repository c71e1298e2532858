// A second Python, started and waiting, so that whoever stops the first goes on at once.

/** @typedef {import("./python-session.js").PythonSession} PythonSession */

export class SpareSession {
  /** @type {Promise<PythonSession | undefined> | undefined} */
  #starting;

  /** @param {() => PythonSession} make */
  constructor(make) {
    this.make = make;
  }

  /** Have one ready from now on, until it is taken. */
  prepare() {
    this.#starting ??= this.#start();
  }

  /** @returns {Promise<PythonSession | undefined>} the session, which is no longer spare */
  async take() {
    const starting = this.#starting;
    this.#starting = undefined;
    return starting;
  }

  /** Do without from now on. */
  async drop() {
    (await this.take())?.end();
  }

  async #start() {
    const session = this.make();
    try {
      await session.start(() => {});
      return session;
    } catch {
      // No loss: whoever starts another will be told why it cannot be.
      session.end();
      this.#starting = undefined;
      return undefined;
    }
  }
}
