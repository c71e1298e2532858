// The fields of a live example: their texts, where they started, and setting them.

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

/** @param {HTMLElement} element @returns {Control[]} */
export function controlsOf(element) {
  return Array.from(element.querySelectorAll("input[name], select[name], textarea[name]"));
}

/** @param {Control[]} controls */
export function textsOf(controls) {
  return Object.fromEntries(controls.map((control) => [control.name, control.value]));
}

/** The texts of the fields that differ from what the build wrote into them. @param {Control[]} controls */
export function changedTexts(controls) {
  return textsOf(controls.filter((control) => control.value !== startOf(control)));
}

/** @param {Control} control */
export function startOf(control) {
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue;
  return Array.from(control.options).find((option) => option.defaultSelected)?.value ?? control.options[0].value;
}

/** Set a control, unless it is a choice that does not offer this text. @param {Control} control @param {string} text */
export function setControl(control, text) {
  const offered = !(control instanceof HTMLSelectElement) || Array.from(control.options).some((o) => o.value === text);
  if (offered) control.value = text;
}
