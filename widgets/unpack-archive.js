// Unpacking where Python looks for packages.

/** @param {import("pyodide").PyodideInterface} python @param {ArrayBuffer} archive a wheel, or another zip of modules */
export function unpackArchive(python, archive) {
  const extractDir = python.runPython("import site; site.getsitepackages()[0]");
  python.unpackArchive(archive, "zip", { extractDir });
}
