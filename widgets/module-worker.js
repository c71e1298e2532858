// Two questions that Pyodide asks of the browser, answered beforehand: the browser's own answers come with a stack
// trace, and to make one it reads all of Pyodide's script once more (some 20 ms each).

// "May scripts be imported?" In a module worker the browser answers with an error.
Object.assign(self, {
  importScripts() {
    throw undefined;
  },
});

// "Is there shared memory?" The browser notes where it was first asked for: here, where there is little to read.
queueMicrotask(() => new WebAssembly.Memory({ shared: true, initial: 1, maximum: 1 }).buffer);
