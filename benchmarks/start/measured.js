// Runs in every measured page before its own scripts: what happens between an edit and what the reader sees of it.

globalThis.NEAR = globalThis.NEAR ?? 0;
globalThis.longTasks = [];
new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
  type: "longtask",
  buffered: true,
});

/** The time until a frame that was drawn after now has been drawn. */
globalThis.painted = () =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))));

/** Change a field; resolves once `isShown` is true and painted, to the milliseconds that took. */
globalThis.edit = async (field, text, isShown) => {
  longTasks.length = 0;
  const begin = performance.now();
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  await until(isShown);
  return { milliseconds: (await painted()) - begin, longTasks: [...longTasks] };
};

/** Resolves at the change of the document that makes `isShown` true. */
globalThis.until = (isShown) =>
  new Promise((resolve) => {
    const seen = () => isShown() && (observer.disconnect(), resolve());
    const observer = new MutationObserver(seen);
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    seen();
  });
