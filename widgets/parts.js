// Things that come one after the other, and are asked for by name, maybe before they are there.

export class Parts {
  /** @type {Map<string, { promise: Promise<any>, resolve: (part: any) => void, part?: any }>} */
  #parts = new Map();

  /** @param {string} name @returns {Promise<any>} */
  get(name) {
    return this.#entry(name).promise;
  }

  /** @param {string} name @param {any} part */
  set(name, part) {
    const entry = this.#entry(name);
    entry.part = part;
    entry.resolve(part);
  }

  /** All that is only bytes, by name: nobody here needs it any more. @returns {Record<string, ArrayBuffer>} */
  giveBack() {
    const bytes = [...this.#parts].filter(([, { part }]) => part instanceof ArrayBuffer);
    return Object.fromEntries(bytes.map(([name, { part }]) => [name, part]));
  }

  /** @param {string} name */
  #entry(name) {
    let entry = this.#parts.get(name);
    if (!entry) {
      /** @type {(part: any) => void} */
      let resolve = () => {};
      const promise = new Promise((settle) => {
        resolve = settle;
      });
      entry = { promise, resolve };
      this.#parts.set(name, entry);
    }
    return entry;
  }
}
