// Everything Python needs, downloaded once per visit and kept for a worker that must be replaced.

import { mayFit, rememberThatNot } from "./image-fits.js";
import { fetchModule, fetchVerified } from "./verified-fetch.js";

/**
 * @typedef {import("./verified-fetch.js").SiteFile} SiteFile
 * @typedef {"image" | "plain" | "rest"} Purpose to start from the memory image, to start plainly, to complete an image
 * @typedef {{ files: SiteFile[], needs: Partial<Record<Purpose, string[]>> }} Runtime
 * @typedef {ArrayBuffer | WebAssembly.Module} Part the bytes of a file, or the module compiled from them
 */

// On a fast line Python is up before anybody could read how far it is, and to draw that would hold it up.
const MILLISECONDS_TO_FIRST_NEWS = 500;
const MILLISECONDS_BETWEEN_NEWS = 100;

export class RuntimeFiles {
  /** @type {Map<string, Part>} */
  #inHand = new Map();
  #failedBefore = false;
  /** @type {Purpose | "nothing"} */
  #refused = "nothing";

  /** Whether Python can start without a download. */
  complete = false;

  /** @param {Runtime} runtime @param {string} siteRoot that addresses are relative to */
  constructor({ files, needs }, siteRoot) {
    this.needs = needs;
    this.list = files.map((file) => ({ ...file, url: new URL(file.url, siteRoot).href }));
  }

  /** Whether the site was built with what this takes, and nobody has refused it. @param {Purpose} purpose */
  offers(purpose) {
    const fits = purpose !== "image" || mayFit(this.#image);
    return purpose in this.needs && purpose !== this.#refused && fits;
  }

  get #image() {
    return this.list.find((file) => file.name === "memory-image")?.sha256 ?? "";
  }

  /** This engine cannot start from the image, now or on any later visit. */
  refuseImageForGood() {
    this.refuse("image");
    rememberThatNot(this.#image);
  }

  /** Whether this cannot do without a file. @param {Purpose} purpose @param {string} name */
  requires(purpose, name) {
    return this.needs[purpose]?.includes(name) ?? false;
  }

  /** Offer this no longer, but again what was refused before. @param {Purpose | "nothing"} purpose */
  refuse(purpose) {
    this.#refused = purpose;
  }

  /**
   * Fetch what is not in hand yet, all at once, and give each part to `onPart` as soon as it is verified. A failure
   * names its file; files that did arrive are kept.
   *
   * @param {Purpose} purpose
   * @param {(name: string, part: Part) => void} onPart
   * @param {(received: number, total: number) => void} [onProgress]
   */
  async get(purpose, onPart, onProgress = () => {}) {
    try {
      const wanted = this.list.filter((file) => this.requires(purpose, file.name));
      const total = wanted.reduce((sum, file) => sum + file.size, 0);
      const arrived = meter((received) => onProgress(received, total));
      const handing = wanted.map(async (file) => onPart(file.name, await this.#fetch(file, arrived)));
      const failed = (await Promise.allSettled(handing)).find((outcome) => outcome.status === "rejected");
      if (failed) throw failed.reason;
      this.complete ||= purpose !== "rest";
    } catch (failure) {
      this.#failedBefore = true;
      throw failure;
    }
  }

  /** Part with a file for a while: what moves to a worker is gone here. @param {string} name */
  lend(name) {
    this.#inHand.delete(name);
  }

  /** @param {Record<string, Part>} parts that were lent */
  takeBack(parts) {
    for (const [name, part] of Object.entries(parts)) this.#inHand.set(name, part);
  }

  /** @param {SiteFile} file @param {(count: number) => void} onBytes @returns {Promise<Part>} */
  async #fetch(file, onBytes) {
    const kept = this.#inHand.get(file.name);
    if (kept) {
      onBytes(file.size);
      return kept;
    }
    const options = { again: this.#failedBefore, onBytes };
    const part = await (file.name.endsWith(".wasm") ? fetchModule : fetchVerified)(file, options);
    this.#inHand.set(file.name, part);
    return part;
  }
}

/**
 * Add up counts, and tell the sum now and then: to draw each change would cost more than the download.
 *
 * @param {(sum: number) => void} tell
 */
function meter(tell) {
  let sum = 0;
  let isToBeTold = false;
  let wait = MILLISECONDS_TO_FIRST_NEWS;
  return (/** @type {number} */ count) => {
    sum += count;
    if (isToBeTold) return;
    isToBeTold = true;
    setTimeout(() => {
      isToBeTold = false;
      tell(sum);
    }, wait);
    wait = MILLISECONDS_BETWEEN_NEWS;
  };
}
