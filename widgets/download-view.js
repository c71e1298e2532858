// How far a download is: a bar, and what is still to come in numbers.

/**
 * @param {Element} element that has a place for it
 * @param {number} received bytes
 * @param {number} total bytes
 */
export function showDownload(element, received, total) {
  const place = element.querySelector(".runtime-download");
  if (!place) return;
  /** @type {HTMLProgressElement} */ (place.firstElementChild).value = received / total;
  /** @type {HTMLElement} */ (place.lastElementChild).textContent =
    `${megabytes(total - received)} of ${megabytes(total)} MB to come`;
}

/** @param {number} bytes */
function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1);
}
