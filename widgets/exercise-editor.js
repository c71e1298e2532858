// What the reader writes in: a text area, and CodeMirror in its place once it is used and could be loaded.

import { loadScript } from "./load-script.js";

/** @typedef {typeof import("./code-editor.js").codeEditor} CodeEditor */

export class ExerciseEditor {
  /** @type {ReturnType<CodeEditor["takePlace"]> | undefined} */
  #inPlace;
  #removed = false;

  /** @param {HTMLTextAreaElement} textarea whose value is the text, whatever is shown in its place */
  constructor(textarea) {
    this.textarea = textarea;
  }

  get text() {
    return this.textarea.value;
  }

  /** Whether the reader can undo a `replace`. */
  get canUndo() {
    return this.#inPlace !== undefined;
  }

  /**
   * Let CodeMirror take the place of the text area. Where it cannot be had that stays, and is enough to work with.
   *
   * @param {{ url: string, sha256: string }} file
   */
  async awaken({ url, sha256 }) {
    if (this.#inPlace) return;
    try {
      await loadScript(url, sha256);
    } catch {
      return;
    }
    if (this.#removed || this.#inPlace) return;
    const editor = /** @type {CodeEditor} */ (/** @type {any} */ (globalThis).codeEditor);
    this.#inPlace = editor.takePlace(this.textarea, (text) => this.#edited(text));
  }

  /** @param {string} text */
  replace(text) {
    if (text === this.text) return;
    if (this.#inPlace) this.#inPlace.replace(text);
    else this.#edited(text);
  }

  focus() {
    if (this.#inPlace) this.#inPlace.focus();
    else this.textarea.focus();
  }

  remove() {
    this.#removed = true;
    this.#inPlace?.remove();
  }

  /** @param {string} text */
  #edited(text) {
    this.textarea.value = text;
    this.textarea.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
