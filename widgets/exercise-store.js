// What the reader has written and reached, kept in this browser: once for all tabs, and once for each tab on its own.

/**
 * @typedef {{ text: string, revision: string, passed?: number, total?: number }} Kept for all tabs
 * @typedef {{ text: string, base?: string }} Own what this tab shows, and the revision for all tabs that it has seen
 * @typedef {"localStorage" | "sessionStorage"} Shelf
 */

export class ExerciseStore {
  /** @type {Own} */
  #own;

  /** @param {string} site its address: sites of one origin keep apart @param {string} name @param {string} starter */
  constructor(site, name, starter) {
    this.key = prefixOf(site) + name;
    const kept = this.kept;
    this.#own = read("sessionStorage", this.key) ?? { text: kept?.text ?? starter, base: kept?.revision };
  }

  get text() {
    return this.#own.text;
  }

  /** @returns {Kept | undefined} */
  get kept() {
    return read("localStorage", this.key);
  }

  /** The text of another tab that this one has not seen and would overwrite. @returns {string | undefined} */
  get unseen() {
    const kept = this.kept;
    return kept && kept.revision !== this.#own.base && kept.text !== this.text ? kept.text : undefined;
  }

  /**
   * Keep a text: for this tab in any case, for all unless that would overwrite what is unseen.
   *
   * @param {string} text
   * @returns {{ shared: boolean, own: boolean }} whether it is kept for all, and for this tab
   */
  save(text) {
    this.#own.text = text;
    const shared = this.unseen === undefined && this.#share(text);
    return { shared, own: write("sessionStorage", this.key, this.#own) };
  }

  /** @param {string} text @returns {boolean} whether there was room */
  #share(text) {
    const revision = `${Date.now()}.${Math.random()}`;
    const done = write("localStorage", this.key, { ...this.kept, text, revision });
    // What was never written would look like the text of another tab.
    if (done) this.#own.base = revision;
    return done;
  }

  /** Count what other tabs have kept as seen, so that the next text may take its place. */
  acknowledge() {
    this.#own.base = this.kept?.revision;
  }

  /** @param {number} passed @param {number} total */
  record(passed, total) {
    if (!this.kept) this.save(this.text);
    const kept = this.kept;
    if (kept && passed >= (kept.passed ?? 0)) write("localStorage", this.key, { ...kept, passed, total });
  }
}

/** Everything that is kept for a site, by exercise. @param {string} site @returns {Record<string, Kept>} */
export function everything(site) {
  const prefix = prefixOf(site);
  const names = keysOf("localStorage", prefix).map((key) => key.slice(prefix.length));
  return Object.fromEntries(names.map((name) => [name, read("localStorage", prefix + name)]));
}

/** Forget everything that is kept for a site. @param {string} site */
export function forgetEverything(site) {
  for (const shelf of /** @type {Shelf[]} */ (["localStorage", "sessionStorage"])) {
    for (const key of keysOf(shelf, prefixOf(site))) globalThis[shelf].removeItem(key);
  }
}

/** @param {string} site */
function prefixOf(site) {
  return `live-exercise ${new URL(site).pathname} `;
}

// A browser may refuse to keep anything, and even to be asked; then the page works without.

/** @param {Shelf} shelf @param {string} prefix @returns {string[]} */
function keysOf(shelf, prefix) {
  try {
    return Object.keys(globalThis[shelf]).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

/** @param {Shelf} shelf @param {string} key */
function read(shelf, key) {
  try {
    return JSON.parse(globalThis[shelf].getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param {Shelf} shelf @param {string} key @param {object} value */
function write(shelf, key, value) {
  try {
    globalThis[shelf].setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
