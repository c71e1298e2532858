// Material's search worker, fetched at the first query, and with it the index: neither is a page's business before.
// The fragment of this script's address names the worker that really searches. See optim_ref_docs/search.py.

/** The messages that Material and its search worker exchange. */
const SETUP = 0;
const READY = 1;
const RESULT = 3;

/** @type {any} the message that sets the search up, but for the documents */
let setup;
/** @type {any} the latest query */
let query;
let isStarting = false;
/** Whether messages reach the one that really searches. */
let isOpen = false;

addEventListener("message", (event) => {
  if (isOpen) return;
  event.stopImmediatePropagation();
  const { data } = event;
  if (data.type === SETUP) {
    setup = data;
    postMessage({ type: READY });
  } else {
    query = data;
    // With every page Material asks once for nothing.
    if (data.data === "") postMessage({ type: RESULT, data: { items: [] } });
    else if (!isStarting) start();
  }
});

async function start() {
  isStarting = true;
  try {
    await handOver();
  } catch (failure) {
    isStarting = false;
    console.error(`The search cannot start: ${failure}`);
  }
}

async function handOver() {
  const response = await fetch(new URL("../../../search/documents.json", location.href));
  const { docs } = await response.json();
  const worker = /** @type {any} */ (globalThis);
  worker.importScripts(`../../javascripts/workers/${location.hash.slice(1)}`);
  const { postMessage } = worker;
  worker.postMessage = (/** @type {{ type: number }} */ message) => {
    if (message.type !== READY) return postMessage(message);
    // Material has been told already.
    worker.postMessage = postMessage;
    isOpen = true;
    tell(query);
  };
  isOpen = true;
  tell({ ...setup, data: { ...setup.data, docs } });
  isOpen = false;
}

/** Hand on a message, at once. @param {any} data */
function tell(data) {
  dispatchEvent(new MessageEvent("message", { data }));
}
