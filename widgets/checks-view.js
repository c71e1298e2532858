// One line per check, with what went in and what came out behind it. Whatever a solution says is shown as text.

/**
 * @typedef {{ case: string, about: string }} Case
 * @typedef {Case & { status: "pass" | "fail", message: string, call: string, expected: string, got: string,
 *   printed: string, traceback: string }} Check
 */

const WORDS = { pass: "passed", fail: "failed" };

export class ChecksView {
  /** @param {HTMLElement} list */
  constructor(list) {
    this.list = list;
  }

  /** Show all checks as not run yet. @param {Case[]} cases */
  begin(cases) {
    this.list.replaceChildren(...cases.map(line));
  }

  /** @param {Check} check */
  show(check) {
    const item = /** @type {HTMLElement} */ (this.list.querySelector(`[data-case="${check.case}"]`));
    const first = check.status === "fail" && !this.list.querySelector("[data-status=fail]");
    item.dataset.status = check.status;
    const details = element("details", "", { open: first });
    const summary = element("summary", "");
    summary.append(element("strong", WORDS[check.status]), ` ${check.case}: ${check.message || check.about}`);
    const parts = [
      part("Input", "call", check.call),
      part("Expected", "expected", check.expected),
      part("Got", "got", check.got),
      part("Printed", "printed", check.printed),
      part("Traceback", "traceback", check.traceback),
    ];
    details.append(summary, ...parts.flat());
    item.replaceChildren(details);
  }

  /** Count the check that was not finished as failed. @param {string} reason */
  abandon(reason) {
    const item = this.#next;
    if (!item) return;
    const text = ` ${item.textContent}: ${reason}`;
    item.dataset.status = "fail";
    item.replaceChildren(element("strong", "not finished"), text);
  }

  clear() {
    this.list.replaceChildren();
  }

  /** How far the checks came, in a sentence. */
  get reached() {
    const name = this.#next?.dataset.case;
    if (name) return `The check “${name}” was not finished.`;
    return this.isBegun ? "All checks were finished." : "No check was begun.";
  }

  get isBegun() {
    return this.list.childElementCount > 0;
  }

  /** The check that is running, or would be next. */
  get #next() {
    return /** @type {HTMLElement | null} */ (this.list.querySelector("li:not([data-status])"));
  }
}

/** @param {Case} each */
function line({ case: name, about }) {
  const item = element("li", `${name}: ${about}`);
  item.dataset.case = name;
  return item;
}

/** @param {string} label @param {string} kind @param {string} text @returns {HTMLElement[]} nothing for no text */
function part(label, kind, text) {
  if (!text) return [];
  const content = element("pre", text, { tabIndex: 0 });
  content.dataset.part = kind;
  content.setAttribute("aria-label", label);
  return [element("span", label), content];
}

/** @param {string} name @param {string} text @param {object} [properties] */
function element(name, text, properties = {}) {
  return Object.assign(document.createElement(name), { textContent: text }, properties);
}
