// Files of the runtime that the page and the worker both have to know by name.

export const CORE = "pyodide.asm.wasm";
export const IMAGE = "memory-image";
