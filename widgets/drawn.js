// Doing things after the reader has seen what is there already.

/** Resolves when the browser has drawn the page as it is now. @returns {Promise<void>} */
export function drawn() {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
