// A second Python, started and waiting, to take the place of one that was stopped, or that a reader's code has used.

/** @typedef {import("./python-session.js").PythonSession} PythonSession */

export class SpareSession {
  /** @type {{ starting: Promise<PythonSession | undefined>, isReady: boolean } | undefined} */
  #spare;

  /** @param {() => PythonSession} make @param {() => boolean} mayStart */
  constructor(make, mayStart) {
    this.make = make;
    this.mayStart = mayStart;
  }

  /** Whether one could be taken at once. */
  get isReady() {
    return this.#spare?.isReady ?? false;
  }

  /** Have one ready from now on, until it is taken, if it may start now. */
  prepare() {
    if (this.#spare || !this.mayStart()) return;
    const spare = { starting: this.#start(), isReady: false };
    this.#spare = spare;
    spare.starting.then((session) => {
      spare.isReady = session !== undefined;
      if (!session && this.#spare === spare) this.#spare = undefined;
    });
  }

  /** @returns {Promise<PythonSession | undefined>} the session, which is no longer spare */
  async take() {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare?.starting;
  }

  async #start() {
    const session = this.make();
    try {
      await session.start(() => {});
      return session;
    } catch {
      // No loss: whoever starts another will be told why it cannot be.
      session.end();
      return undefined;
    }
  }
}
