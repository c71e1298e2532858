// Once Python runs, the page is held against it: the code it lists, and every value it was built with.

import { listingsByFile, showCodeThatRan } from "./code-that-ran.js";
import { startTextsOf, textsOf } from "./controls.js";
import { StartValues } from "./start-values.js";

/** @typedef {import("./python.js").Python} Python */

// Who types sees the next result at once, and the proof when there is time to read it.
const MILLISECONDS_OF_PAUSE = 300;
const DISAGREE = "That must not be: the page and the code that ran do not agree.";

/** @type {WeakMap<HTMLElement, StartValues>} */
const built = new WeakMap();
/** Examples and listings that Python has been asked about. @type {WeakSet<HTMLElement>} */
const asked = new WeakSet();

/** Keep what the build wrote into an example, before anything changes it. @param {HTMLElement} example */
export function keepStartValues(example) {
  built.set(example, new StartValues(example));
}

let nextProof = 0;

/** Prove all of the page that is not proven yet, as soon as there is a pause. @param {Python} python */
export function provePage(python) {
  clearTimeout(nextProof);
  const proof = setTimeout(() => proveAll(python, () => proof === nextProof), MILLISECONDS_OF_PAUSE);
  nextProof = proof;
}

/** @param {Python} python @param {() => boolean} isPause whether no later answer has been shown */
async function proveAll(python, isPause) {
  const examples = /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("live-example:not([data-streams])")
  );
  try {
    // One at a time, so that the reader's next question never waits for all.
    for (const example of examples) {
      if (isPause()) await once([example], () => proveExample(python, example));
    }
    for (const [path, listings] of listingsByFile()) {
      if (isPause()) await once(listings, () => proveListings(python, path, listings));
    }
  } catch (failure) {
    // The reader's own question is told of what went wrong; this one is asked again with the next answer.
    console.debug("The page could not be proven:", failure);
  }
}

/**
 * Prove elements that are not being proven, and another time if that came to nothing.
 *
 * @param {HTMLElement[]} elements
 * @param {() => Promise<boolean>} prove
 */
async function once(elements, prove) {
  const others = elements.filter((element) => !asked.has(element));
  if (others.length === 0) return;
  for (const element of others) asked.add(element);
  let isProven = false;
  try {
    isProven = await prove();
  } finally {
    if (!isProven) for (const element of others) asked.delete(element);
  }
}

/** @param {Python} python @param {HTMLElement} example */
async function proveExample(python, example) {
  const question = /** @type {const} */ ({ type: "run", isProof: true, example: example.getAttribute("name") ?? "" });
  proveAnswer(example, await python.ask({}, { ...question, texts: startTextsOf(example) }));
  return true;
}

/** @param {Python} python @param {string} path @param {HTMLElement[]} listings */
async function proveListings(python, path, listings) {
  const source = await python.ask({}, { type: "source", path });
  if (source) showCodeThatRan(listings, source);
  return Boolean(source);
}

/** An example that works for long is proven by a run of its start. @param {HTMLElement} example @param {any} answer */
export function proveRun(example, answer) {
  const start = startTextsOf(example);
  if (Object.entries(textsOf(example)).every(([name, text]) => text === start[name])) proveAnswer(example, answer);
}

/** @param {HTMLElement} example @param {any} answer to the texts of the start */
function proveAnswer(example, answer) {
  const values = built.get(example);
  const line = /** @type {HTMLElement | null} */ (example.querySelector(".live-example__proof"));
  if (!values || !line || answer.errors) return;
  const found = values.compare(answer);
  const allowed = Number(example.dataset.ulps ?? 0);
  line.dataset.same = String(found !== undefined && found.ulps <= allowed);
  line.textContent = sentence(found, allowed);
}

/** @param {ReturnType<StartValues["compare"]>} found @param {number} allowed */
function sentence(found, allowed) {
  if (!found) return `This page was built with another number of values than come out here. ${DISAGREE}`;
  const { count, different, ulps } = found;
  if (different === 0) return `The ${count} values this page was built with came out the same here, to the last bit.`;
  const by = `${different} of the ${count} values this page was built with differ here, by at most ${ulps} ${ulps === 1 ? "unit" : "units"} in the last place`;
  return ulps <= allowed
    ? `${by}: this computation rounds differently from one machine to another.`
    : `${by}. ${DISAGREE}`;
}
