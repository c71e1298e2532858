// Everything Python needs, downloaded once per visit and kept for a worker that must be replaced.

import { CORE, IMAGE } from "./file-names.js";
import { mayFit, rememberThatNot } from "./image-fits.js";
import { fetchModule, fetchVerified } from "./verified-fetch.js";

/**
 * @typedef {import("./verified-fetch.js").SiteFile} SiteFile
 * @typedef {"image" | "plain" | "rest"} Purpose to start from the memory image, to start plainly, to complete an image
 * @typedef {{ files: SiteFile[], needs: Partial<Record<Purpose, string[]>> }} Runtime
 * @typedef {ArrayBuffer | WebAssembly.Module} Part the bytes of a file, or the module compiled from them
 */

// Of the core, before the image is asked for: it is needed first, and nearly all of it leaves the line no time to rest.
const SHARE_AHEAD = 0.9;
// On a fast line Python is up before anybody could read how far it is, and to draw that would hold it up.
const MILLISECONDS_TO_FIRST_NEWS = 500;
const MILLISECONDS_BETWEEN_NEWS = 100;

export class RuntimeFiles {
  /** @type {Map<string, Part>} */
  #inHand = new Map();
  /** What a worker has for the time of its start. @type {Set<string>} */
  #lent = new Set();
  #failedBefore = false;
  #imageRefused = false;

  /** @param {Runtime} runtime @param {string} siteRoot that addresses are relative to */
  constructor({ files, needs }, siteRoot) {
    this.needs = needs;
    this.list = files.map((file) => ({ ...file, url: new URL(file.url, siteRoot).href }));
  }

  /** Whether Python can start without a download. */
  get complete() {
    const names = this.needs[this.offersImage ? "image" : "plain"] ?? [];
    return names.every((name) => this.#inHand.has(name) || this.#lent.has(name));
  }

  /** Whether there is a memory image, and nothing speaks against it. */
  get offersImage() {
    return "image" in this.needs && !this.#imageRefused && mayFit(this.#image);
  }

  get #image() {
    return this.list.find((file) => file.name === IMAGE)?.sha256 ?? "";
  }

  /** Do without the image. */
  refuseImage() {
    this.#imageRefused = true;
  }

  /** Where the plain start fails as well, the image was not to blame. */
  allowImage() {
    this.#imageRefused = false;
  }

  /** This engine cannot start from the image, now or on any later visit. */
  refuseImageForGood() {
    this.refuseImage();
    rememberThatNot(this.#image);
  }

  /** Whether this cannot do without a file. @param {Purpose} purpose @param {string} name */
  requires(purpose, name) {
    return this.needs[purpose]?.includes(name) ?? false;
  }

  /**
   * Fetch what is not in hand yet, all at once, and give each part to `onPart` as soon as it is verified; bytes that
   * come last of all to `onLast`, before they are. A failure names its file; files that did arrive are kept.
   *
   * @param {Purpose} purpose
   * @param {(name: string, part: Part) => void} onPart
   * @param {(received: number, total: number) => void} [onProgress]
   * @param {(name: string, bytes: ArrayBuffer) => void} [onLast]
   */
  async get(purpose, onPart, onProgress = () => {}, onLast = () => {}) {
    try {
      const wanted = this.list.filter((file) => this.requires(purpose, file.name));
      const total = wanted.reduce((sum, file) => sum + file.size, 0);
      const arrived = meter((received) => onProgress(received, total));
      const core = wanted.find((file) => file.name === CORE);
      const ahead = countdown((core?.size ?? 0) * SHARE_AHEAD);
      let missing = wanted.length;
      const handing = wanted.map(async (file) => {
        if (file.name === IMAGE) await ahead.isOver;
        const onBytes = (/** @type {number} */ count) => {
          arrived(count);
          if (file === core) ahead.count(count);
        };
        const onArrived = (/** @type {ArrayBuffer} */ bytes) => {
          if (missing === 1) onLast(file.name, bytes);
        };
        const part = await this.#fetch(file, { onBytes, onArrived }).finally(file === core ? ahead.end : undefined);
        missing--;
        onPart(file.name, part);
      });
      const failed = (await Promise.allSettled(handing)).find((outcome) => outcome.status === "rejected");
      if (failed) throw failed.reason;
    } catch (failure) {
      this.#failedBefore = true;
      throw failure;
    }
  }

  /** Part with a file for a while: what moves to a worker is gone here. @param {string} name */
  lend(name) {
    this.#inHand.delete(name);
    this.#lent.add(name);
  }

  /** Take back what was lent; what a start that failed has kept is lost. @param {Record<string, Part>} parts */
  takeBack(parts) {
    for (const [name, part] of Object.entries(parts)) this.#inHand.set(name, part);
    this.#lent.clear();
  }

  /** @param {SiteFile} file @param {import("./verified-fetch.js").Options} options @returns {Promise<Part>} */
  async #fetch(file, options) {
    const kept = this.#inHand.get(file.name);
    if (kept) {
      options.onBytes?.(file.size);
      return kept;
    }
    const fetchIt = file.name.endsWith(".wasm") ? fetchModule : fetchVerified;
    const part = await fetchIt(file, { ...options, again: this.#failedBefore });
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

/** Something to wait for: until so many have been counted, or it has been ended. @param {number} left */
function countdown(left) {
  const { promise, resolve } = Promise.withResolvers();
  const count = (/** @type {number} */ number) => {
    left -= number;
    if (left <= 0) resolve(undefined);
  };
  count(0);
  return { count, end: () => resolve(undefined), isOver: promise };
}
