// Making the whole standard library and NumPy importable in a Python that was started from a memory image.

import { unpackArchive } from "./unpack-archive.js";

/**
 * @param {import("pyodide").PyodideInterface} python
 * @param {Record<string, ArrayBuffer>} files the archives that the image leaves out, by name
 */
export function completePython(python, files) {
  for (const [name, bytes] of Object.entries(files)) {
    if (name.endsWith(".whl")) unpackArchive(python, bytes);
    else python.FS.writeFile(libraryPath(python), new Uint8Array(bytes));
  }
  python.pyimport("live.image").complete();
}

/** Where Python looks for its standard library. @param {import("pyodide").PyodideInterface} python */
function libraryPath(python) {
  return python.runPython("import sys; next(path for path in sys.path if path.endswith('.zip'))");
}
