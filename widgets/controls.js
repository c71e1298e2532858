// The fields of a live example. They are the ones the build wrote: set, marked and read, but never made anew.

import { partsOf } from "./built-parts.js";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

/** @param {Element} example @returns {Control[]} */
export function controlsOf(example) {
  return partsOf(example, "input[name], select[name], textarea[name]");
}

/** What the build wrote into each field. @param {Element} example @returns {Record<string, string>} */
export function startTextsOf(example) {
  return Object.fromEntries(controlsOf(example).map((control) => [control.name, startOf(control)]));
}

/** What stands in each field. @param {Element} example @returns {Record<string, string>} */
export function textsOf(example) {
  return Object.fromEntries(controlsOf(example).map((control) => [control.name, control.value]));
}

/** The same, of the fields that differ from what the build wrote into them. @param {Element} example */
export function changedOf(example) {
  const changed = controlsOf(example).filter((control) => control.value !== startOf(control));
  return Object.fromEntries(changed.map((control) => [control.name, control.value]));
}

/** Bring every field back to its start, or to the text given for it. @param {Element} example @param {Record<string, string>} [texts] */
export function resetControls(example, texts = {}) {
  for (const control of controlsOf(example)) setControl(control, texts[control.name] ?? startOf(control));
}

/**
 * Set the fields that are named, and open what hides one of them.
 *
 * @param {Element} example
 * @param {Record<string, string>} texts
 * @returns {boolean} whether there was any
 */
export function restoreControls(example, texts) {
  const named = controlsOf(example).filter((control) => control.name in texts);
  for (const control of named) {
    setControl(control, texts[control.name]);
    if (control.value !== startOf(control)) reveal(control);
  }
  return named.length > 0;
}

/**
 * Mark the fields that cannot be taken, each with a sentence that says why, and no others.
 *
 * @param {Element} example
 * @param {Record<string, string>} errors
 */
export function showErrors(example, errors) {
  for (const control of controlsOf(example)) {
    const [message] = partsOf(example, `#${control.id}-message`);
    const text = errors[control.name] ?? "";
    if (message.textContent !== text) message.textContent = text;
    if (text) {
      control.setAttribute("aria-invalid", "true");
      reveal(control);
    } else {
      control.removeAttribute("aria-invalid");
    }
  }
}

/** @param {Control} control */
function startOf(control) {
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue;
  return Array.from(control.options).find((option) => option.defaultSelected)?.value ?? "";
}

/** Set a control, unless it is a choice that does not offer this. @param {Control} control @param {string} text */
function setControl(control, text) {
  if (!(control instanceof HTMLSelectElement) || Array.from(control.options).some((option) => option.value === text)) {
    control.value = text;
  }
}

/** @param {Control} control */
function reveal(control) {
  control.closest("details")?.setAttribute("open", "");
}
