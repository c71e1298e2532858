// What this browser, and the way the page was opened, allow.

/** @returns {string} why Python cannot run here, in one line, or the empty string */
export function obstacle() {
  if (location.protocol === "file:") {
    return "This page was opened from a file, and browsers start Python only from a web server: the values shown are those of the build. Run “make serve” to edit them.";
  }
  hasModuleWorkers ??= moduleWorkers();
  if (typeof WebAssembly !== "object" || !hasModuleWorkers || !globalThis.crypto?.subtle) {
    return "This browser cannot run Python here (it needs WebAssembly, module workers and a secure connection): the values shown are those of the build.";
  }
  return "";
}

/** @type {boolean | undefined} */
let hasModuleWorkers;

function moduleWorkers() {
  let asked = false;
  const options = {
    get type() {
      asked = true;
      return /** @type {const} */ ("module");
    },
  };
  const nothing = URL.createObjectURL(new Blob([], { type: "text/javascript" }));
  try {
    new Worker(nothing, options).terminate();
  } catch {
    // Some refuse this worker; by then they have read the option or not.
  } finally {
    URL.revokeObjectURL(nothing);
  }
  return asked;
}

/** Whether the reader has asked for little to be downloaded. */
export function savesData() {
  const connection = /** @type {{ connection?: { saveData?: boolean } }} */ (navigator).connection;
  return connection?.saveData === true || matchMedia("(prefers-reduced-data: reduce)").matches;
}
