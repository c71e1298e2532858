// Everything Python needs, downloaded once per visit and kept for a worker that must be replaced.

import { FileFailure, fetchVerified } from "./verified-fetch.js";

/**
 * @typedef {import("./verified-fetch.js").SiteFile} SiteFile
 * @typedef {{ worker: SiteFile, files: SiteFile[] }} Manifest
 * @typedef {{ worker: Blob, core: WebAssembly.Module, files: Record<string, Blob> }} Runtime
 */

export const CORE = "pyodide.asm.wasm";

export class RuntimeFiles {
  /** @type {Map<string, Blob>} */
  #inHand = new Map();
  /** @type {WebAssembly.Module | undefined} */
  #core;
  #failedBefore = false;

  /** Whether Python can start without a download. */
  get complete() {
    return this.#core !== undefined;
  }

  /** @param {SiteFile} manifestFile */
  constructor(manifestFile) {
    this.manifestFile = manifestFile;
  }

  /**
   * Fetch what is not in hand yet, all at once. A failure names its file; files that did arrive are kept.
   *
   * @param {(received: number, total: number) => void} onProgress
   * @returns {Promise<Runtime>}
   */
  async get(onProgress) {
    try {
      const manifest = /** @type {Manifest} */ (JSON.parse(await (await this.#fetch(this.manifestFile)).text()));
      const wanted = [manifest.worker, ...manifest.files].map((file) => ({ ...file, url: this.#resolve(file.url) }));
      const total = wanted.reduce((sum, file) => sum + file.size, 0);
      let received = 0;
      const arrived = (/** @type {number} */ count) => {
        received += count;
        onProgress(received, total);
      };
      const outcomes = await Promise.allSettled(wanted.map((file) => this.#fetch(file, arrived)));
      const failed = outcomes.find((outcome) => outcome.status === "rejected");
      if (failed) throw failed.reason;
      this.#core ??= await compile(/** @type {Blob} */ (this.#inHand.get(CORE)));
      const files = manifest.files.filter((file) => file.name !== CORE);
      return {
        // A module is refused under any other type, whatever the server called it.
        worker: new Blob([this.#kept(manifest.worker)], { type: "text/javascript" }),
        core: this.#core,
        files: Object.fromEntries(files.map((file) => [file.name, this.#kept(file)])),
      };
    } catch (failure) {
      this.#failedBefore = true;
      throw failure;
    }
  }

  /** @param {SiteFile} file @returns {Blob} one that has been fetched */
  #kept(file) {
    return /** @type {Blob} */ (this.#inHand.get(file.name));
  }

  /** @param {string} url of a file, as the manifest gives it: beside the manifest */
  #resolve(url) {
    return new URL(url, this.manifestFile.url).href;
  }

  /** @param {SiteFile} file @param {(count: number) => void} [onBytes] */
  async #fetch(file, onBytes) {
    const kept = this.#inHand.get(file.name);
    if (kept) {
      onBytes?.(file.size);
      return kept;
    }
    const blob = await fetchVerified(file, { again: this.#failedBefore, onBytes });
    this.#inHand.set(file.name, blob);
    return blob;
  }
}

/** @param {Blob} blob */
async function compile(blob) {
  try {
    return await WebAssembly.compile(await blob.arrayBuffer());
  } catch (error) {
    throw new FileFailure(CORE, `cannot be run by this browser: ${error}`);
  }
}
