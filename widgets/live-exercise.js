// <live-exercise>: a function that the reader writes, checked in the browser against the reference.
// Without this script the statement, the hints and the reference are there to read.

import { ExerciseControl } from "./exercise-control.js";

export class LiveExercise extends HTMLElement {
  /** @type {ExerciseControl | undefined} */
  #control;

  connectedCallback() {
    this.#control = new ExerciseControl(this);
  }

  disconnectedCallback() {
    this.#control?.end();
  }
}
