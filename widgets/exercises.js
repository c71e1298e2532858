// The script of pages with exercises: it defines their elements. The page's own script fetches it where it is needed.

import { ExerciseProgress } from "./exercise-progress.js";
import { LiveExercise } from "./live-exercise.js";

customElements.define("live-exercise", LiveExercise);
customElements.define("exercise-progress", ExerciseProgress);
