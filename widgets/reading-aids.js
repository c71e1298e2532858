// Pointing at a symbol, with mouse, finger or keyboard, marks it wherever it stands: in the equations, in the table of
// symbols, in the listing and in the live examples of the page. Without this script all of them are still there to read.

const MARKED = "eq-marked";
const POINTED_AT = "[data-symbol], live-example [data-row], live-example [name]";

/**
 * Begin to listen. Listeners sit on the document, so that they outlive instant navigation.
 * @returns {() => void} ends it again
 */
export function start() {
  const listening = new AbortController();
  const { signal } = listening;
  /** @param {Event} event */
  const point = (event) => mark(event.target);
  for (const type of ["pointerover", "focusin"]) document.addEventListener(type, point, { signal });
  for (const type of ["pointerout", "focusout"]) document.addEventListener(type, clear, { signal });
  return () => {
    listening.abort();
    clear();
  };
}

function clear() {
  for (const element of document.querySelectorAll(`.${MARKED}`)) element.classList.remove(MARKED);
}

/** @param {EventTarget | null} target */
function mark(target) {
  const element = target instanceof Element ? target.closest(POINTED_AT) : null;
  if (!element) return;
  clear();
  const rows = element.matches("[data-symbol]") ? rowsOfSymbol(element) : rowsOfName(nameIn(element));
  for (const row of rows) {
    for (const each of appearances(row)) each.classList.add(MARKED);
  }
}

/**
 * The rows of the symbol table that belong to an element: two symbols may share a name in the code.
 * @param {Element} element
 */
function rowsOfSymbol(element) {
  const record = element.closest(".eq-record");
  const keys = (element.getAttribute("data-symbol") ?? "").split(" ");
  return record ? keys.flatMap((key) => all(record, `tr[data-symbol="${CSS.escape(key)}"]`)) : [];
}

/** @param {string} name */
function rowsOfName(name) {
  return all(document, `.eq-record tr[data-name="${CSS.escape(name)}"]`);
}

/** @param {Element} element */
function nameIn(element) {
  return element.getAttribute("data-row") ?? element.getAttribute("name") ?? "";
}

/**
 * Everywhere on the page where the symbol of a table row stands.
 * @param {Element} row
 */
function appearances(row) {
  const key = CSS.escape(row.getAttribute("data-symbol") ?? "");
  const name = CSS.escape(row.getAttribute("data-name") ?? "");
  const record = /** @type {Element} */ (row.closest(".eq-record"));
  const live = `live-example [data-row="${name}"], live-example input[name="${name}"]`;
  return [...all(record, `[data-symbol~="${key}"]`), ...all(document, live)];
}

/** @param {ParentNode} root @param {string} selector */
function all(root, selector) {
  return Array.from(root.querySelectorAll(selector));
}
