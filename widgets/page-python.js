// What the page's script shares with scripts that come later: the one Python of this visit. They are bundled with this
// file in place of python.js (see build/bundle.mjs).

export const { pythonFor, STALE } = /** @type {typeof import("./python.js")} */ (
  /** @type {any} */ (globalThis).optimRef
);
