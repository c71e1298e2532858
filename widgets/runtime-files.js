// Everything Python needs, downloaded once per visit and kept for a worker that must be replaced.

import { fetchModule, fetchVerified } from "./verified-fetch.js";

/**
 * @typedef {import("./verified-fetch.js").SiteFile} SiteFile
 * @typedef {"image" | "plain" | "rest"} Purpose to start from the memory image, to start plainly, to complete an image
 * @typedef {{ files: SiteFile[], needs: Partial<Record<Purpose, string[]>> }} Runtime
 * @typedef {ArrayBuffer | WebAssembly.Module} Part the bytes of a file, or the module compiled from them
 */

const MILLISECONDS_BETWEEN_NEWS = 100;

export class RuntimeFiles {
  /** @type {Map<string, Blob | WebAssembly.Module>} */
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
    return purpose in this.needs && purpose !== this.#refused;
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

  /** @param {SiteFile} file @param {(count: number) => void} onBytes @returns {Promise<Part>} */
  async #fetch(file, onBytes) {
    const kept = this.#inHand.get(file.name);
    if (kept) {
      onBytes(file.size);
      return kept instanceof Blob ? kept.arrayBuffer() : kept;
    }
    const options = { again: this.#failedBefore, onBytes };
    if (file.name.endsWith(".wasm")) {
      const module = await fetchModule(file, options);
      this.#inHand.set(file.name, module);
      return module;
    }
    // The bytes go to the worker, and are gone here; the blob stays.
    const { blob, bytes } = await fetchVerified(file, options);
    this.#inHand.set(file.name, blob);
    return bytes;
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
  return (/** @type {number} */ count) => {
    sum += count;
    if (isToBeTold) return;
    isToBeTold = true;
    setTimeout(() => {
      isToBeTold = false;
      tell(sum);
    }, MILLISECONDS_BETWEEN_NEWS);
  };
}
