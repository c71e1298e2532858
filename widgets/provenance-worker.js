// Which code ran, seen from the worker: the modules that Python has imported, each with the hash of its source.

import { sha256 } from "./sha256.js";

const PACKAGE = "optim_ref";

/** @param {import("pyodide").PyodideInterface} python */
export async function importedSources(python) {
  const modules = JSON.parse(python.pyimport("live.provenance").sources_json(PACKAGE));
  return Promise.all(
    modules.map(async (/** @type {{ path: string, text: string, same: boolean }} */ { path, text, same }) => ({
      path,
      same,
      sha256: await sha256(new TextEncoder().encode(text)),
    })),
  );
}
