// Questions asked once more in the worker's idle time, for nobody. An engine compiles what has run some times anew, and
// better, by what it has seen of it, and takes several attempts at Python's own loop. A reader who goes on editing
// would wait for those.

/**
 * @typedef {{ example: string, texts: Record<string, string> }} Run
 * @typedef {{ run: Run, left: number }} Part
 */

const TIMES = 40;
// Time for the engine to finish what it compiles meanwhile.
const MILLISECONDS_BETWEEN = 10;
// The first answer is to be drawn by then.
const MILLISECONDS_TO_FIRST = 50;
// A long one would keep the next question waiting, and gains nothing.
const MILLISECONDS_AT_MOST = 30;

export class Rehearsal {
  /** What was asked last of each example, and how often it is still to be asked. @type {Map<string, Part>} */
  #parts = new Map();

  /** @param {(run: Run) => string} answer */
  constructor(answer) {
    this.answer = answer;
  }

  /** Note what a reader has asked and how long the answer took. @param {Run} run @param {number} milliseconds */
  note(run, milliseconds) {
    const known = this.#parts.get(run.example);
    const left = milliseconds <= MILLISECONDS_AT_MOST ? (known?.left ?? TIMES) : 0;
    const part = Object.assign(known ?? {}, { run, left });
    this.#parts.set(run.example, part);
    if (!known) setTimeout(() => this.#again(part), MILLISECONDS_TO_FIRST);
  }

  /** Once more, and then let a message come first. @param {Part} part */
  #again(part) {
    if (part.left === 0) return;
    part.left--;
    try {
      this.answer(part.run);
    } catch {
      // Whoever asks next is told what became of Python.
      return;
    }
    setTimeout(() => this.#again(part), MILLISECONDS_BETWEEN);
  }
}
