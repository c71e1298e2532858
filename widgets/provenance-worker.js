// Which code ran, seen from the worker: the modules that Python has imported, each with the hash of its source.

const PACKAGE = "optim_ref";

/** @param {import("pyodide").PyodideInterface} python */
export async function importedSources(python) {
  const modules = JSON.parse(python.pyimport("live.provenance").sources_json(PACKAGE));
  return Promise.all(
    modules.map(async (/** @type {{ path: string, text: string, same: boolean }} */ { path, text, same }) => ({
      path,
      same,
      sha256: await sha256(text),
    })),
  );
}

/** @param {string} text */
async function sha256(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
