// Fetching a file of this site and making sure that its bytes are the ones the page was built with.

/** @typedef {{ name: string, url: string, sha256: string, size: number }} SiteFile */

// A proxy or a download manager may take a request and never answer.
const SECONDS_OF_SILENCE = 30;

/** A file that is missing, altered or out of reach; the message names it and says which of these it is. */
export class FileFailure extends Error {
  /** @param {string} file @param {string} problem */
  constructor(file, problem) {
    super(`${file} ${problem}`);
    this.name = "FileFailure";
    this.file = file;
  }
}

/**
 * Fetch a file and check its SHA-256. `again` passes over whatever the browser's cache holds.
 *
 * @param {SiteFile} file
 * @param {{ again?: boolean, onBytes?: (count: number) => void }} [options]
 * @returns {Promise<Blob>}
 */
export async function fetchVerified(file, { again = false, onBytes } = {}) {
  const silence = new AbortController();
  let timer = 0;
  const heard = (/** @type {number} */ count) => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SECONDS_OF_SILENCE * 1000);
    onBytes?.(count);
  };
  heard(0);
  try {
    const response = await request(file, { cache: again ? "reload" : "default", signal: silence.signal });
    const bytes = await read(file, response, heard);
    if ((await hash(bytes)) !== file.sha256) {
      throw new FileFailure(file.name, "is not the file this page was built with: its SHA-256 differs");
    }
    return new Blob([bytes]);
  } finally {
    clearTimeout(timer);
  }
}

/** @param {SiteFile} file @param {RequestInit} options */
async function request(file, options) {
  let response;
  try {
    response = await fetch(file.url, options);
  } catch {
    throw new FileFailure(file.name, "could not be fetched: no answer from this site");
  }
  if (!response.ok) {
    throw new FileFailure(file.name, `is missing: this site answered ${response.status}`);
  }
  return response;
}

/** @param {SiteFile} file @param {Response} response @param {(count: number) => void} heard */
async function read(file, response, heard) {
  const chunks = [];
  try {
    const reader = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      chunks.push(part.value);
      heard(part.value.length);
    }
  } catch {
    throw new FileFailure(file.name, "stopped arriving: the connection broke");
  }
  return new Blob(chunks).arrayBuffer();
}

/** @param {ArrayBuffer} bytes */
async function hash(bytes) {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
