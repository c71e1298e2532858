// The script of every page: it defines the elements, and fetches nothing.

import { LiveExample } from "./live-example.js";
import { start as startReadingAids } from "./reading-aids.js";

if (!customElements.get("live-example")) customElements.define("live-example", LiveExample);
startReadingAids();
// Material leaves its search dialog without a name for screen readers.
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
