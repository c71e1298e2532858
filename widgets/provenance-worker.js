// Which code ran, seen from the worker: a module that Python has imported, with the hash of its source.

import { sha256 } from "./sha256.js";

const PACKAGE = "optim_ref";

/**
 * @param {import("pyodide").PyodideInterface} python
 * @param {string} listed a file of the repository
 * @returns {Promise<import("./code-that-ran.js").Source | undefined>} nothing where it has not been imported
 */
export async function importedSource(python, listed) {
  const source = JSON.parse(python.pyimport("live.provenance").source_json(PACKAGE, listed));
  if (!source) return undefined;
  const { path, text, same } = source;
  return { path, same, sha256: await sha256(new TextEncoder().encode(text)) };
}
