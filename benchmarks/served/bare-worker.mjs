// Nothing but an instance of the WebAssembly that the page has compiled, made by Pyodide's own script.

import createPyodideModule from "./pyodide/pyodide.asm.mjs";
import { loadPyodide } from "./pyodide/pyodide.mjs";

self.onmessage = async ({ data: core }) => {
  const { fetch } = self;
  self.fetch = async (url) => (String(url).endsWith(".asm.wasm") ? new Response() : fetch(url));
  WebAssembly.instantiateStreaming = async (_response, imports) => ({
    module: core,
    instance: await WebAssembly.instantiate(core, imports),
  });
  await loadPyodide({
    stdLibURL: "data:,",
    lockFileContents: { packages: {} },
    // Stops before Python itself starts.
    _loadSnapshot: new Uint8Array(16),
    async createPyodideModule(settings) {
      await createPyodideModule(settings);
      self.postMessage("there");
      return new Promise(() => {});
    },
  });
};
