// The script of every page: it defines what many pages have, and fetches nothing of Python.

import { start as startLateElements } from "./late-elements.js";
import { LiveExample } from "./live-example.js";
import { start as startReadingAids } from "./reading-aids.js";
import { start as startScrollableTables } from "./scrollable-tables.js";

if (!customElements.get("live-example")) customElements.define("live-example", LiveExample);
startLateElements();
startReadingAids();
startScrollableTables();
// Material leaves its search dialog without a name for screen readers.
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
