// Making the whole standard library and NumPy importable in a Python that was started from a memory image.

/**
 * @param {import("pyodide").PyodideInterface} python
 * @param {Record<string, ArrayBuffer>} files the archives that the image leaves out, by name
 */
export function completePython(python, files) {
  const sys = python.pyimport("sys");
  for (const [name, bytes] of Object.entries(files)) {
    if (name.endsWith(".whl")) {
      python.unpackArchive(bytes, "wheel");
    } else {
      // Python looks for its standard library in this one archive, by this name.
      const { major, minor } = sys.version_info;
      python.FS.writeFile(`/lib/python${major}${minor}.zip`, new Uint8Array(bytes));
    }
  }
  python.pyimport("live.image").complete();
}
