// What the reader writes in: a text area, and CodeMirror in its place once it is used and could be loaded.

import { fetchVerified } from "./verified-fetch.js";

/**
 * @typedef {import("./verified-fetch.js").SiteFile} SiteFile
 * @typedef {typeof import("./code-editor.js")} CodeEditor
 */

/** @type {Promise<CodeEditor> | undefined} */
let loading;

/** Fetch the editor once per visit. @param {SiteFile} file @returns {Promise<CodeEditor>} */
async function load(file) {
  const bytes = await fetchVerified(file);
  const address = URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }));
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

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

  /** Load CodeMirror; where it cannot be had the text area stays, which is enough to work with. @param {SiteFile} file */
  async awaken(file) {
    if (this.#inPlace) return;
    loading ??= load(file);
    try {
      const { takePlace } = await loading;
      if (this.#removed || this.#inPlace) return;
      this.#inPlace = takePlace(this.textarea, (text) => this.#edited(text));
    } catch {
      loading = undefined;
    }
  }

  /** @param {string} text */
  replace(text) {
    if (text === this.text) return;
    if (this.#inPlace) this.#inPlace.replace(text);
    else this.#edited(text);
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
