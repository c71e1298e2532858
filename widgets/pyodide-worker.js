// The worker: starts Python once, then answers questions one after the other.

import "./module-worker.js";
import { completePython } from "./complete-python.js";
import { Parts } from "./parts.js";
import { startFast, startPlainly } from "./pyodide-start.js";

const parts = new Parts();
const part = (/** @type {string} */ name) => parts.get(name);

/** @type {Promise<import("pyodide").PyodideInterface>} */
let starting;
/** @type {any} the Python module that answers */
let live;
/** @type {any} the Python module that knows what an image leaves out */
let image;

/** @type {Record<string, (message: any, report: (partial: string) => void) => any>} */
const handlers = {
  async start() {
    const python = await starting;
    live = python.pyimport("live.example");
    image = python.pyimport("live.image");
  },
  run({ id, example, texts }, report) {
    return complete(id, () => JSON.parse(live.answer_json(example, JSON.stringify(texts), report)));
  },
  rows({ id, example, texts, first }) {
    return complete(id, () => JSON.parse(live.table_json(example, JSON.stringify(texts), first)));
  },
  csv({ id, example, texts }) {
    return complete(id, () => live.table_csv(example, JSON.stringify(texts)));
  },
};

/** What the page tells the worker and waits for no reply to. @type {Record<string, (message: any) => void>} */
const listeners = {
  begin({ purpose }) {
    starting = purpose === "image" ? startFast(part) : startPlainly(part);
    // Whoever asks to start gets the failure; until then nobody waits for it.
    starting.catch(() => {});
  },
  part({ name, part }) {
    parts.set(name, part);
  },
};

/**
 * Ask Python; where that imports what the image leaves out, get it and ask again.
 *
 * @template Answer
 * @param {number} id of the question
 * @param {() => Answer} ask
 */
async function complete(id, ask) {
  const first = attempt(ask);
  if (!image.is_wanting()) return first();
  self.postMessage({ id, type: "wanting" });
  completePython(await starting, await part("rest"));
  return ask();
}

/** Ask now; what comes of it, an answer or an error, is had by calling the result. @template Answer @param {() => Answer} ask */
function attempt(ask) {
  try {
    const answer = ask();
    return () => answer;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

self.onmessage = async ({ data }) => {
  const { id, type } = data;
  if (type in listeners) return listeners[type](data);
  const report = (/** @type {string} */ partial) =>
    self.postMessage({ id, type: "status", value: JSON.parse(partial) });
  try {
    self.postMessage({ id, type: "result", value: await handlers[type](data, report) });
  } catch (error) {
    self.postMessage({ id, type: "error", message: String(error).trim() });
  }
};
