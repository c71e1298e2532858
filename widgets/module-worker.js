// Pyodide calls this to see whether it works, as it does in workers that are no modules. The browser's own function
// throws an error, and to make its stack trace the browser reads all of Pyodide's script once more.
Object.assign(self, {
  importScripts() {
    throw undefined;
  },
});
