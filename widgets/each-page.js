// Doing something on every page: the first, and those that instant navigation brings.

/** @typedef {{ subscribe(listener: () => void): void }} Pages Material's */

/** @param {() => void} act called once for each page, when it is there */
export function onEachPage(act) {
  const { document$: pages } = /** @type {{ document$?: Pages }} */ (globalThis);
  if (pages) pages.subscribe(act);
  else act();
}
