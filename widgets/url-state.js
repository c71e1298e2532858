// The state of a live example in the page's address: `?adamw-one-step.grad=0.25`.

export const LONGEST_LINK = 2000;

/**
 * The fields of one example that the address sets.
 *
 * @param {string} example
 * @returns {Record<string, string>}
 */
export function readState(example) {
  const prefix = `${example}.`;
  const entries = [...new URLSearchParams(location.search)].filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(prefix.length), value]));
}

/**
 * The address of this page with one example's fields in it; fields at their start are left out.
 *
 * @param {string} example
 * @param {Record<string, string>} changed
 */
export function linkWith(example, changed) {
  const url = new URL(location.href);
  for (const key of [...url.searchParams.keys()]) {
    if (key.startsWith(`${example}.`)) url.searchParams.delete(key);
  }
  for (const [field, text] of Object.entries(changed)) url.searchParams.set(`${example}.${field}`, text);
  return url.href;
}

/** @param {string} link */
export function showLink(link) {
  // Material keeps the scroll position in the state of the history entry.
  if (link.length <= LONGEST_LINK && link !== location.href) history.replaceState(history.state, "", link);
}
