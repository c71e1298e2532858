// Questions asked once more in the worker's idle time, for nobody. An engine compiles what has run some times anew, and
// better, by what it has seen of it, and takes several attempts at Python's own loop. A reader who goes on editing
// would wait for those.

/** @typedef {{ example: string, texts: Record<string, string> }} Run */

const TIMES = 40;
// Who goes on typing is to meet none, and the answer is drawn by then.
const MILLISECONDS_OF_PAUSE = 50;
// Time for the engine to finish what it compiles: only then is there something new to run.
const MILLISECONDS_BETWEEN = 25;
// After a long answer the engine has seen enough, and a long rehearsal would be in the way.
const MILLISECONDS_AT_MOST = 30;

export class Rehearsal {
  /** How often each example is still to be asked. @type {Map<string, number>} */
  #left = new Map();
  #timer = 0;

  /** @param {(run: Run) => string} answer */
  constructor(answer) {
    this.answer = answer;
  }

  /** Note what a reader has asked last and how long the answer took. @param {Run} run @param {number} milliseconds */
  note(run, milliseconds) {
    clearTimeout(this.#timer);
    if (!this.#left.has(run.example)) this.#left.set(run.example, TIMES);
    if (milliseconds <= MILLISECONDS_AT_MOST) this.#later(run, MILLISECONDS_OF_PAUSE);
  }

  /** Once more, unless another run is noted before. @param {Run} run @param {number} milliseconds */
  #later(run, milliseconds) {
    if (this.#left.get(run.example)) this.#timer = setTimeout(() => this.#again(run), milliseconds);
  }

  /** @param {Run} run */
  #again(run) {
    this.#left.set(run.example, (this.#left.get(run.example) ?? 0) - 1);
    try {
      this.answer(run);
    } catch {
      // Whoever asks next is told what became of Python.
      return;
    }
    this.#later(run, MILLISECONDS_BETWEEN);
  }
}
