// The worker: starts Python once, then answers questions one after the other.

import { started } from "./cheaper-start.js";
import { completePython } from "./complete-python.js";
import { check } from "./exercise-worker.js";
import { Parts } from "./parts.js";
import { importedSource } from "./provenance-worker.js";
import { startFast, startPlainly } from "./pyodide-start.js";
import { Rehearsal } from "./rehearsal.js";

// Its own, since a reader's code loses the one that it could reach: see exercise-worker.js.
const post = self.postMessage.bind(self);

/** An answer that only the page takes apart: a text travels faster than what it says. */
class Json {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

const parts = new Parts();
const part = (/** @type {string} */ name) => parts.get(name);

// Until then nothing of the memory image may run: it may not have been verified yet.
/** @type {PromiseWithResolvers<void>} */
const allowed = Promise.withResolvers();
/** @type {Promise<import("pyodide").PyodideInterface>} */
let starting;
/** @type {any} */
let python;
/** @type {any} the Python module that answers */
let live;
/** @type {any} the Python module that knows what an image leaves out */
let image;

const rehearsal = new Rehearsal(({ example, texts }) => live.answer_json(example, JSON.stringify(texts)));

/** What the page tells, and expects no reply to. @type {Record<string, (message: any) => void>} */
const listeners = {
  begin({ purpose }) {
    starting = purpose === "image" ? startFast(part, allowed.promise) : startPlainly(part);
    // The failure goes to whoever asks for the start, a little later.
    starting.catch(() => {});
  },
  part(message) {
    parts.set(message.name, message.part);
  },
};

/** What the page asks. @type {Record<string, (message: any, report: (partial: string) => void) => any>} */
const handlers = {
  async start() {
    allowed.resolve();
    python = await starting;
    live = python.pyimport("live.example");
    image = python.pyimport("live.image");
    started();
    return parts.giveBack();
  },
  run({ example, texts, isProof }, report) {
    const begin = performance.now();
    const json = live.answer_json(example, JSON.stringify(texts), report);
    if (!isProof) rehearsal.note({ example, texts }, performance.now() - begin);
    return new Json(json);
  },
  rows({ example, texts, first }) {
    return new Json(live.table_json(example, JSON.stringify(texts), first));
  },
  csv({ example, texts }) {
    return live.table_csv(example, JSON.stringify(texts));
  },
  check: (question, report) => check(python, question, report),
  source: ({ path }) => importedSource(python, path),
};

/**
 * Answer a message. Where that imports what the memory image leaves out, get it and answer anew: the first answer,
 * or the error it ended in, tells of a module that cannot be found.
 *
 * @param {{ id: number, type: string }} message
 * @param {(partial: string) => void} report
 */
async function answer(message, report) {
  const first = await Promise.allSettled([(async () => handlers[message.type](message, report))()]);
  if (image?.is_wanting()) {
    post({ id: message.id, type: "wanting" });
    completePython(python, await part("rest"));
    return handlers[message.type](message, report);
  }
  if (first[0].status === "rejected") throw first[0].reason;
  return first[0].value;
}

self.onmessage = async ({ data }) => {
  const { id, type } = data;
  if (type in listeners) return listeners[type](data);
  const report = (/** @type {string} */ json) => post({ id, type: "status", json });
  try {
    const value = await answer(data, report);
    if (value instanceof Json) return post({ id, type: "result", json: value.text });
    post({ id, type: "result", value }, { transfer: type === "start" ? Object.values(value) : [] });
  } catch (error) {
    post({ id, type: "error", message: /** @type {Error} */ (error).message.trim() });
  }
};
