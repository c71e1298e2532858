// What is kept for all exercises of a site together: handed out as a file, or forgotten.

import { everything } from "./exercise-store.js";
import { saveFile } from "./save-file.js";

/** Offer everything that is kept as a file. @param {string} site */
export function exportEverything(site) {
  saveFile("exercises.json", JSON.stringify(everything(site), null, 2), "application/json");
}

/** Ask the reader once more before anything is deleted. @param {string} site */
export function isSureToForget(site) {
  const count = Object.keys(everything(site)).length;
  return confirm(`Delete what you wrote and reached in ${count} of the exercises? It is kept nowhere else.`);
}
