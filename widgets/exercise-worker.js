// In the worker: checking what a reader has written, which may do anything.

import limits from "./limits.json";

const PAGE = 2 ** 16;

/** @type {any} the Python module that checks */
let exercises;

// An allocation without end must meet its end while the page is still alive.
const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * PAGE > limits.bytesOfMemory)
    throw new RangeError("more memory than may be used");
  return grow.call(this, pages);
};

// What a reader's code reaches by `import js`, and must not use: the page takes what comes for Python's answer, and a
// worker that closes itself tells nobody.
const WITHHELD = ["postMessage", "close"];

function withhold() {
  for (const name of WITHHELD) {
    const value = () => {
      throw new TypeError(`${name} is not there for solutions`);
    };
    // Twice, where the first try lacked a module.
    Object.defineProperty(self, name, { value, configurable: true });
  }
}

/**
 * Run the checks of an exercise; `report` gets the JSON of each as it comes.
 *
 * @param {any} python
 * @param {{ exercise: string, text: string }} question
 * @param {(partial: string) => void} report
 */
export function check(python, { exercise, text }, report) {
  withhold();
  try {
    exercises ??= python.pyimport("live.exercise");
    return JSON.parse(exercises.run_json(exercise, text, report));
  } catch (error) {
    throw new Error(`Python itself broke down (${String(error).trim().split("\n").at(-1)})`);
  }
}
