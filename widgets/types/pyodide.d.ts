// The two files of Pyodide that the worker is bundled with; the package declares types for its main file only.

declare module "pyodide/pyodide.mjs" {
  export { loadPyodide } from "pyodide";
}

declare module "pyodide/pyodide.asm.mjs" {
  import type { PyodideConfig } from "pyodide";

  const createPyodideModule: PyodideConfig["createPyodideModule"];
  export default createPyodideModule;
}
