// A figure: the image that the build drew, until it is about to be used; then Plotly, in the palette that is shown.

import { drawn } from "./drawn.js";
import { loadScript } from "./load-script.js";

/**
 * @typedef {{ react: Function, restyle: Function, animate: Function, purge: Function }} Plotly
 * @typedef {{ data: any[], layout: any }} Figure
 */

/** @param {string} url @param {string} sha256 hexadecimal @returns {Promise<Plotly>} */
function loadPlotly(url, sha256) {
  return loadScript(url, sha256).then(
    () => /** @type {any} */ (globalThis).Plotly,
    () => {
      throw new Error("plotly.js is missing or altered on this site: the figure stays as it was built");
    },
  );
}

// While an example works, its figure follows no faster than this, so that keys find the page free.
const MILLISECONDS_BETWEEN_DRAWINGS = 500;

// The curves move, and the axes are not drawn again: half the time of any other way.
const AT_ONCE = { mode: "immediate", frame: { duration: 0, redraw: false }, transition: { duration: 0 } };

export class Plot {
  /** @type {Figure} */
  #figure;
  /** @type {Plotly | undefined} */
  #plotly;
  #shownAt = Number.NEGATIVE_INFINITY;
  /** @type {Figure | undefined} */
  #passedOver;
  #isStopped = false;
  /** @type {Promise<void> | undefined} */
  #drawing;
  /** All that is drawn but for the numbers, in JSON. */
  #frame = "";
  #observer = new MutationObserver(() => this.#draw());

  /**
   * @param {HTMLElement} element the figure, with its description in `data-figure`
   * @param {string} url of Plotly
   * @param {string} sha256
   */
  constructor(element, url, sha256) {
    this.element = element;
    this.place = /** @type {HTMLElement} */ (element.querySelector(".live-example__plot"));
    this.#figure = JSON.parse(element.dataset.figure ?? "{}");
    this.load = () => loadPlotly(url, sha256);
  }

  /** Draw with Plotly from now on, and follow the palette. */
  async awaken() {
    if (this.#plotly) return;
    const plotly = await this.load();
    if (this.#isStopped) return;
    this.#plotly = plotly;
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
    await this.awaken();
    // The numbers come first; and of figures that follow each other in no time, only the last is drawn.
    this.#drawing ??= drawn().then(() => {
      this.#drawing = undefined;
      this.#draw();
    });
    await this.#drawing;
  }

  stop() {
    this.#isStopped = true;
    this.#observer.disconnect();
    this.#plotly?.purge(this.place);
  }

  #draw() {
    if (!this.#plotly || !this.element.isConnected) return;
    const image = /** @type {HTMLElement} */ (this.element.querySelector(".live-example__image"));
    // The plot takes the image's place in one go, so that nothing on the page moves.
    this.place.hidden = false;
    image.hidden = true;
    const { data, layout } = coloured(this.#figure, getComputedStyle(this.element));
    const frame = JSON.stringify([{ ...layout, meta: undefined }, data.map(({ x, y, ...look }) => look)]);
    if (frame !== this.#frame) {
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
