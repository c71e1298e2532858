// Runs in every measured page before its own scripts: what happens between an edit and what the reader sees of it.

globalThis.longTasks = [];
new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
  type: "longtask",
  buffered: true,
});
globalThis.largestPaint = 0;
new PerformanceObserver((list) => {
  largestPaint = list.getEntries().at(-1).startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });

/** The time until a frame that was drawn after now has been drawn. */
const painted = () =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))));

const change = (field, text) => {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
};

/** Change a field; resolves once `isShown` is true and painted, to the milliseconds that took. */
globalThis.shown = async (field, text, isShown) => {
  longTasks.length = 0;
  const begin = performance.now();
  change(field, text);
  await until(isShown);
  const milliseconds = (await painted()) - begin;
  return { milliseconds, longTasks: [...longTasks] };
};

/** Change a field of a live example; resolves to the milliseconds until its numbers stand there, and its figure. */
globalThis.editAndDraw = async (example, field, text) => {
  const begin = performance.now();
  change(field, text);
  await until(() => example.dataset.state === "ready");
  const numbers = performance.now() - begin;
  const plot = example.querySelector(".js-plotly-plot");
  if (plot) await new Promise((resolve) => plot.once("plotly_afterplot", resolve));
  const figure = performance.now() - begin;
  // The next edit comes when the page is at rest, as it is between a reader's.
  await painted();
  await new Promise((resolve) => requestIdleCallback(resolve));
  return { numbers, figure };
};

/** Resolves at the change of state that makes `isShown` true. */
globalThis.until = (isShown) =>
  new Promise((resolve) => {
    const seen = () => isShown() && (observer.disconnect(), resolve());
    const observer = new MutationObserver(seen);
    observer.observe(document, { subtree: true, attributeFilter: ["data-state"] });
    seen();
  });
