// A figure: the image that the build drew, until it is about to be used. What draws is fetched only then.

import { loadScript } from "./load-script.js";
import { siteRoot } from "./site-root.js";

/**
 * @typedef {import("./plot.js").Plot} Plot
 * @typedef {import("./plot.js").Figure} Figure
 */

export class LatePlot {
  /** @type {Promise<Plot> | undefined} */
  #plot;

  /** @param {HTMLElement} element the figure, which names in `data-scripts` what draws it */
  constructor(element) {
    this.element = element;
  }

  /** Put the plot in the image's place. What could not be fetched is tried again when it is next asked for. */
  awaken() {
    this.#plot ??= plotOf(this.element).catch((failure) => {
      this.#plot = undefined;
      throw failure;
    });
    return this.#plot;
  }

  /** @param {Figure} figure */
  async show(figure) {
    await (await this.awaken()).show(figure);
  }

  /** @param {Figure} figure */
  async follow(figure) {
    await (await this.awaken()).follow(figure);
  }

  async catchUp() {
    await (await this.#plot)?.catchUp();
  }

  stop() {
    this.#plot?.then((plot) => plot.stop()).catch(console.debug);
  }
}

/** @param {HTMLElement} element @returns {Promise<Plot>} */
async function plotOf(element) {
  /** @type {{ url: string, sha256: string }[]} */
  const scripts = JSON.parse(element.dataset.scripts ?? "[]");
  try {
    await Promise.all(scripts.map(({ url, sha256 }) => loadScript(new URL(url, siteRoot).href, sha256)));
  } catch {
    throw new Error("What draws figures is missing or altered on this site: the figure stays as it was built");
  }
  const { Plot } = /** @type {typeof import("./plot.js")} */ (/** @type {any} */ (globalThis));
  return new Plot(element);
}
