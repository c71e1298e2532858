// Parts of an element that the build wrote, and that nothing replaces: looked for once, since a long table is searched
// through each time.

/** @type {WeakMap<Element, Map<string, any[]>>} */
const found = new WeakMap();

/**
 * @template {HTMLElement} Part
 * @param {Element} element
 * @param {string} selector
 * @returns {Part[]}
 */
export function partsOf(element, selector) {
  const known = found.get(element) ?? new Map();
  found.set(element, known);
  if (!known.has(selector)) known.set(selector, Array.from(element.querySelectorAll(selector)));
  return known.get(selector);
}
