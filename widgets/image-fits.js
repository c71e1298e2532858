// Whether the memory image fits this browser's engine, kept from visit to visit: one try at each image is enough.

const KEY = "optim_ref.image-does-not-fit";

/** @param {string} sha256 of the image */
export function mayFit(sha256) {
  try {
    return localStorage.getItem(KEY) !== sha256;
  } catch {
    // A browser that keeps nothing tries each time.
    return true;
  }
}

/** @param {string} sha256 of the image */
export function rememberThatNot(sha256) {
  try {
    localStorage.setItem(KEY, sha256);
  } catch {
    // As above.
  }
}
