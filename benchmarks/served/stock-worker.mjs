// Pyodide as its documentation says to start it in a worker, with the same code to answer.

import { loadPyodide } from "./pyodide/pyodide.mjs";

self.onmessage = async ({ data }) => {
  const python = await loadPyodide({ packageBaseUrl: new URL("./pyodide/", self.location.href).href });
  await python.loadPackage("numpy", { messageCallback: () => {} });
  for (const archive of data.archives) {
    const response = await fetch(archive);
    python.unpackArchive(await response.arrayBuffer(), "zip", { extractDir: "/lib/python3.14/site-packages" });
  }
  const live = python.pyimport("live.example");
  self.postMessage(live.answer_json("adamw-one-step", JSON.stringify(data.texts)));
};
