// Under each listing, once Python runs: whether this very file is the one that was imported and executed.

/**
 * @typedef {{ path: string, sha256: string, same: boolean }} Source a module that Python has imported
 */

/** The listings of the page that say nothing yet, by their files. @returns {Map<string, HTMLElement[]>} */
export function listingsByFile() {
  const listed = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("figure[data-sha256]"));
  const silent = [...listed].filter((listing) => listing.querySelector(".eq-ran:not([data-same])"));
  return Map.groupBy(silent, (listing) => listing.dataset.path ?? "");
}

/**
 * Write the line under every listing of a file.
 *
 * @param {HTMLElement[]} listings
 * @param {Source} source the module that the file was imported as
 */
export function showCodeThatRan(listings, source) {
  for (const listing of listings) {
    const { sha256 = "" } = listing.dataset;
    const line = /** @type {Element} */ (listing.querySelector(".eq-ran"));
    const same = source.same && source.sha256 === sha256;
    line.setAttribute("data-same", String(same));
    line.textContent = same
      ? `This is the code that ran: ${source.path} in your browser has the same SHA-256, ${sha256.slice(0, 16)}…`
      : `This is not the code that ran: the listing has SHA-256 ${sha256.slice(0, 16)}…, ${source.path} in your browser ${source.sha256.slice(0, 16)}…`;
  }
}
