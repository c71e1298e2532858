// The script of every page: it defines the elements, and fetches nothing.

import { LiveExample } from "./live-example.js";
import { start as startReadingAids } from "./reading-aids.js";

if (!customElements.get("live-example")) customElements.define("live-example", LiveExample);
startReadingAids();
