// Where the site begins: this script lies below its assets/live/.

// Taken while the script is read: later there is no current script.
export const siteRoot = /** @type {HTMLScriptElement} */ (document.currentScript).src.replace(/assets\/live\/.*$/, "");
