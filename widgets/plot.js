// A figure drawn by Plotly, in the palette that is shown. A file of its own, which a page loads when a figure is used.

import { drawn } from "./drawn.js";

/**
 * @typedef {{ react: Function, restyle: Function, animate: Function, purge: Function }} Plotly
 * @typedef {{ data: any[], layout: any }} Figure
 */

// While an example works, its figure follows no faster than this, so that keys find the page free.
const MILLISECONDS_BETWEEN_DRAWINGS = 500;

// The curves move, and the axes are not drawn again: half the time of any other way.
const AT_ONCE = { mode: "immediate", frame: { duration: 0, redraw: false }, transition: { duration: 0 } };

export class Plot {
  /** @type {Figure} */
  #figure;
  /** @type {Plotly} */
  #plotly = /** @type {any} */ (globalThis).Plotly;
  #shownAt = Number.NEGATIVE_INFINITY;
  /** @type {Figure | undefined} */
  #passedOver;
  /** @type {Promise<void> | undefined} */
  #drawing;
  /** All that is drawn but for the numbers, in JSON. */
  #frame = "";
  #observer = new MutationObserver(() => this.#recolour());

  /**
   * Draw from now on, and follow the palette.
   *
   * @param {HTMLElement} element the figure, with its description in `data-figure`
   */
  constructor(element) {
    this.element = element;
    this.place = /** @type {HTMLElement} */ (element.querySelector(".live-example__plot"));
    this.#figure = JSON.parse(element.dataset.figure ?? "{}");
    this.#observer.observe(document.body, { attributeFilter: ["data-md-color-scheme", "data-md-color-primary"] });
    this.#draw();
  }

  /** Show one of many figures that follow each other, or pass it over. @param {Figure} figure */
  async follow(figure) {
    if (performance.now() - this.#shownAt > MILLISECONDS_BETWEEN_DRAWINGS) await this.show(figure);
    else this.#passedOver = figure;
  }

  /** Show what was passed over last, now that nothing follows. */
  async catchUp() {
    if (this.#passedOver) await this.show(this.#passedOver);
  }

  /** @param {Figure} figure */
  async show(figure) {
    this.#figure = figure;
    this.#passedOver = undefined;
    this.#shownAt = performance.now();
    const caption = this.element.querySelector("figcaption");
    if (caption) caption.textContent = figure.layout.meta.description;
    // The numbers come first; and of figures that follow each other in no time, only the last is drawn.
    this.#drawing ??= drawn().then(() => {
      this.#drawing = undefined;
      this.#draw();
    });
    await this.#drawing;
  }

  stop() {
    this.#observer.disconnect();
    this.#plotly.purge(this.place);
  }

  #recolour() {
    try {
      this.#draw();
    } catch (failure) {
      // Said when these numbers came.
      console.debug(failure);
    }
  }

  #draw() {
    if (!this.element.isConnected) return;
    const image = /** @type {HTMLElement} */ (this.element.querySelector(".live-example__image"));
    // The plot takes the image's place in one go, so that nothing on the page moves.
    this.place.hidden = false;
    image.hidden = true;
    const { data, layout } = coloured(unpacked(this.#figure), getComputedStyle(this.element));
    const frame = JSON.stringify([{ ...layout, meta: undefined }, data.map(({ x, y, ...look }) => look)]);
    const isNew = frame !== this.#frame;
    // Where Plotly fails, it keeps axes for numbers that it could not draw: the next figure is then drawn as a new one.
    this.#frame = "";
    if (isNew) {
      this.#plotly.react(this.place, data, layout, { displaylogo: false, responsive: true });
    } else if (layout.xaxis.range) {
      const curves = data.map(({ x, y }) => ({ x, y }));
      // Fails where the next drawing, or the end of the page, comes first.
      this.#plotly.animate(this.place, { data: curves }, AT_ONCE).catch(() => {});
    } else {
      this.#plotly.restyle(this.place, { x: data.map(({ x }) => x), y: data.map(({ y }) => y) });
    }
    this.#frame = frame;
  }
}

/** The figure with its numbers in lists again, however it came. @param {Figure} figure @returns {Figure} */
function unpacked({ data, layout }) {
  return { data: data.map((trace) => ({ ...trace, x: listed(trace.x), y: listed(trace.y) })), layout };
}

/** @param {any[] | { floats: string }} values in a list, or as the bytes of floats in base64 */
function listed(values) {
  if (Array.isArray(values)) return values;
  const bytes = Uint8Array.from(atob(values.floats), (byte) => byte.charCodeAt(0));
  return Array.from(new Float64Array(bytes.buffer));
}

/**
 * The figure with the colours of the palette in place of their roles.
 *
 * @param {Figure} figure
 * @param {CSSStyleDeclaration} style
 */
function coloured(figure, style) {
  const colour = (/** @type {string} */ role) => style.getPropertyValue(`--live-${role}`).trim();
  const axis = {
    gridcolor: colour("grid"),
    linecolor: colour("text"),
    zerolinecolor: colour("grid"),
    automargin: true,
  };
  const axes = Object.entries(figure.layout)
    .filter(([name]) => /^[xy]axis/.test(name))
    .map(([name, own]) => [name, { ...axis, ...own }]);
  return {
    data: figure.data.map((trace) => ({
      ...trace,
      ...(trace.line && { line: { ...trace.line, color: colour(trace.line.color) } }),
      ...(trace.marker && { marker: { ...trace.marker, color: colour(trace.marker.color) } }),
    })),
    layout: {
      ...figure.layout,
      ...Object.fromEntries(axes),
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: colour("text"), family: style.fontFamily, size: 12 },
      margin: { l: 60, r: 16, t: 16, b: 48 },
    },
  };
}

// Run as a script, it can hand itself over by a global only.
Object.assign(globalThis, { Plot });
