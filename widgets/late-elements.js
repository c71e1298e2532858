// Elements that few pages have: their script is fetched on the first page that does.

import { onEachPage } from "./each-page.js";
import { loadScript } from "./load-script.js";
import { pythonFor, STALE } from "./python.js";
import { siteRoot } from "./site-root.js";

const WAITING = "[data-script]:not(:defined)";

export function start() {
  Object.assign(globalThis, { optimRef: { pythonFor, STALE } });
  onEachPage(fetchScript);
}

async function fetchScript() {
  const element = /** @type {HTMLElement | null} */ (document.querySelector(WAITING));
  if (!element) return;
  const { script = "", scriptSha256 = "" } = element.dataset;
  try {
    await loadScript(new URL(script, siteRoot).href, scriptSha256);
  } catch (failure) {
    console.error(failure);
    const status = element.querySelector("[role=status]");
    if (status) status.textContent = `${/** @type {Error} */ (failure).message}. What stands here can be read.`;
  }
}
