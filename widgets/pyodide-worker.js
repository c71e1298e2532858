// The worker: starts Python once, then answers questions one after the other.

import { startPython } from "./pyodide-start.js";

/** @type {(example: string, texts: string) => string} */
let answer;

/** @type {Record<string, (message: any) => Promise<any> | any>} */
const handlers = {
  async start({ core, files }) {
    const python = await startPython(core, files);
    answer = python.pyimport("live.example").answer_json;
  },
  run({ example, texts }) {
    return JSON.parse(answer(example, JSON.stringify(texts)));
  },
};

self.onmessage = async ({ data }) => {
  try {
    self.postMessage({ id: data.id, type: "result", value: await handlers[data.type](data) });
  } catch (error) {
    self.postMessage({ id: data.id, type: "error", message: String(error).trim() });
  }
};
