// The script of every page: it defines the elements, and fetches nothing.

import { LiveExample } from "./live-example.js";

if (!customElements.get("live-example")) customElements.define("live-example", LiveExample);
