// What a reader takes away from a live example: a link, a text, a file.

import { changedOf } from "./controls.js";
import { saveFile } from "./save-file.js";
import { LONGEST_LINK, linkWith } from "./url-state.js";

/**
 * Put a text on the clipboard.
 *
 * @param {string} text
 * @param {string} what it is, for the sentence that says how it went
 * @param {string} otherwise what to do where that is not allowed
 * @returns {Promise<string>} that sentence
 */
export async function copy(text, what, otherwise) {
  try {
    await navigator.clipboard.writeText(text);
    return `${what} was copied.`;
  } catch {
    return `This browser did not allow copying. ${otherwise}`;
  }
}

/**
 * Put a link to an example's present values on the clipboard, unless it is too long to work everywhere.
 *
 * @param {Element} example
 * @returns {Promise<string>} a sentence that says how it went
 */
export async function copyLink(example) {
  const link = linkWith(example.getAttribute("name") ?? "", changedOf(example));
  if (link.length <= LONGEST_LINK) return copy(link, "A link to these values", `The link: ${link}`);
  return `A link with these values would have ${link.length} characters, more than the ${LONGEST_LINK} that work everywhere.`;
}

/** Offer comma-separated values as a file. @param {string} name @param {string} text @returns {string} a sentence */
export function download(name, text) {
  saveFile(name, text, "text/csv");
  return `${name} was given to this browser to save.`;
}
