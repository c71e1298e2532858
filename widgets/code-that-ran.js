// Under each listing, once Python runs: whether this very file is the one that was imported and executed.

/**
 * @typedef {{ path: string, sha256: string, same: boolean }} Source a module that Python has imported
 */

/**
 * Write the line under every listing of the page whose module has been imported.
 *
 * @param {Source[]} sources
 */
export function showCodeThatRan(sources) {
  for (const listing of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("figure[data-sha256]"))) {
    const { path = "", sha256 = "" } = listing.dataset;
    const source = sources.find((each) => path.endsWith(`/${each.path}`));
    const line = listing.querySelector(".eq-ran");
    if (!source || !line) continue;
    const same = source.same && source.sha256 === sha256;
    line.setAttribute("data-same", String(same));
    line.textContent = same
      ? `This is the code that ran: ${source.path} in your browser has the same SHA-256, ${sha256.slice(0, 16)}…`
      : `This is not the code that ran: the listing has SHA-256 ${sha256.slice(0, 16)}…, ${source.path} in your browser ${source.sha256.slice(0, 16)}…`;
  }
}
