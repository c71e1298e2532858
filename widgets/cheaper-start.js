// What Pyodide asks of the browser again and again while it starts, answered at less cost. Its script is long, and
// reading it once more for a stack trace takes some 20 ms each time.

const TRAMPOLINE_BYTES = 200;

// Nobody reads the stack of an error that Pyodide catches while it starts.
const errors = /** @type {{ stackTraceLimit?: number }} */ (Error);
const limit = errors.stackTraceLimit;
errors.stackTraceLimit = 0;

/** From now on errors tell again where they come from. */
export function started() {
  errors.stackTraceLimit = limit;
}

// "May scripts be imported?" In a module worker the browser answers with an error.
Object.assign(self, {
  importScripts() {
    throw undefined;
  },
});

// "Is there shared memory?" The browser notes where it was first asked for: here, where there is little to read.
queueMicrotask(() => new WebAssembly.Memory({ shared: true, initial: 1, maximum: 1 }).buffer);

// Each function of JavaScript that Python calls gets a tiny module between, compiled from the same bytes for the same
// kinds of arguments: hundreds of functions, a few dozen kinds. A module holds no state, so one of each kind will do.
/** @type {Map<string, WebAssembly.Module>} */
const trampolines = new Map();

WebAssembly.Module = new Proxy(WebAssembly.Module, {
  construct(Module, [bytes]) {
    if (bytes.byteLength > TRAMPOLINE_BYTES) return new Module(bytes);
    const key = String(bytes);
    const module = trampolines.get(key) ?? new Module(bytes);
    trampolines.set(key, module);
    return module;
  },
});
