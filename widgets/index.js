// The script of every page: it defines the elements, and fetches nothing.

import { ExerciseProgress } from "./exercise-progress.js";
import { LiveExample } from "./live-example.js";
import { LiveExercise } from "./live-exercise.js";
import { start as startReadingAids } from "./reading-aids.js";
import { start as startScrollableTables } from "./scrollable-tables.js";

const elements = { "live-example": LiveExample, "live-exercise": LiveExercise, "exercise-progress": ExerciseProgress };
for (const [name, element] of Object.entries(elements)) {
  if (!customElements.get(name)) customElements.define(name, element);
}
startReadingAids();
startScrollableTables();
// Material leaves its search dialog without a name for screen readers.
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
