// The worker: starts Python once, then answers questions one after the other.

import { check } from "./exercise-worker.js";
import { importedSources } from "./provenance-worker.js";
import { startPython } from "./pyodide-start.js";

/** @type {any} */
let python;
/** @type {any} the Python module that answers */
let live;

/** @type {Record<string, (message: any, report: (partial: string) => void) => any>} */
const handlers = {
  async start({ core, files }) {
    python = await startPython(core, files);
    live = python.pyimport("live.example");
  },
  run({ example, texts }, report) {
    return JSON.parse(live.answer_json(example, JSON.stringify(texts), report));
  },
  rows({ example, texts, first }) {
    return JSON.parse(live.table_json(example, JSON.stringify(texts), first));
  },
  csv({ example, texts }) {
    return live.table_csv(example, JSON.stringify(texts));
  },
  check: (question, report) => check(python, question, report),
  sources: () => importedSources(python),
};

self.onmessage = async ({ data }) => {
  const { id, type } = data;
  const report = (/** @type {string} */ partial) =>
    self.postMessage({ id, type: "status", value: JSON.parse(partial) });
  try {
    self.postMessage({ id, type: "result", value: await handlers[type](data, report) });
  } catch (error) {
    self.postMessage({ id, type: "error", message: /** @type {Error} */ (error).message.trim() });
  }
};
