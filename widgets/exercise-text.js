// The reader's text: shown in the editor, kept in the store, and a choice where two tabs disagree.

import { ExerciseEditor } from "./exercise-editor.js";
import { ExerciseStore } from "./exercise-store.js";
import { siteRoot } from "./site-root.js";

export class ExerciseText {
  /**
   * @param {string} name of the exercise
   * @param {HTMLTextAreaElement} textarea which holds the starter
   * @param {HTMLElement} notice shown while another tab's text is unseen
   */
  constructor(name, textarea, notice) {
    this.name = name;
    this.starter = textarea.defaultValue;
    this.notice = notice;
    this.store = new ExerciseStore(siteRoot, name, this.starter);
    textarea.value = this.store.text;
    this.editor = new ExerciseEditor(textarea);
    this.compare();
  }

  /** Keep what was typed. @returns {boolean} whether this browser keeps anything */
  edited() {
    const kept = this.store.save(this.editor.text);
    this.compare();
    return kept;
  }

  /** Show the choice where another tab has written something else. */
  compare() {
    const { unseen } = this.store;
    this.notice.hidden = unseen === undefined;
    if (unseen === undefined) this.store.acknowledge();
  }

  keepMine() {
    this.store.acknowledge();
    this.edited();
  }

  /** @returns {boolean} whether the reader wanted it after all */
  takeOther() {
    const { unseen = this.editor.text } = this.store;
    if (!this.#isSureToReplace(unseen)) return false;
    this.store.acknowledge();
    this.editor.replace(unseen);
    this.edited();
    return true;
  }

  /** Go back to the starter. @returns {boolean} whether the reader wanted it after all */
  reset() {
    if (!this.#isSureToReplace(this.starter)) return false;
    this.editor.replace(this.starter);
    return true;
  }

  /** Ask the reader where another text would take the place of this one for good. @param {string} text */
  #isSureToReplace(text) {
    const { editor } = this;
    return editor.canUndo || text === editor.text || confirm("Replace what you wrote? That cannot be undone here.");
  }

  /** Go back to the starter, and forget that there was anything else. @param {() => void} forget */
  startOver(forget) {
    this.editor.replace(this.starter);
    forget();
    this.store = new ExerciseStore(siteRoot, this.name, this.starter);
  }
}
