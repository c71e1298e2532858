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

  /** Keep what was typed. @returns {string} what the reader must hear of that, if anything */
  edited() {
    const { shared, own } = this.store.save(this.editor.text);
    const conflict = this.compare();
    if (!shared && !own) return "This browser keeps nothing: copy what you write before you leave.";
    if (!shared && this.notice.hidden)
      return "This browser keeps what you write for this tab alone: copy it before you close the tab.";
    return conflict;
  }

  /** Show the choice where another tab has written something else. @returns {string} news of that, if it is any */
  compare() {
    const { unseen } = this.store;
    const isNews = this.notice.hidden && unseen !== undefined;
    this.notice.hidden = unseen === undefined;
    if (unseen === undefined) this.store.acknowledge();
    return isNews ? "Another tab has changed this solution. Above the editor you can choose between the two." : "";
  }

  /** @returns {string} what the reader must hear of that, if anything */
  keepMine() {
    this.store.acknowledge();
    return this.edited();
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
