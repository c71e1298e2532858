// Fetching a file of this site and making sure that its bytes are the ones the page was built with.

import { sha256 } from "./sha256.js";

/**
 * @typedef {{ name: string, url: string, sha256: string, size: number }} SiteFile
 * @typedef {{ again?: boolean, onBytes?: (count: number) => void }} Options
 *   `again` passes over whatever the browser's cache holds
 */

// A proxy or a download manager may take a request and never answer.
const SECONDS_OF_SILENCE = 30;

const NO_ANSWER = "could not be fetched: no answer from this site";
const BROKEN_OFF = "stopped arriving: the connection broke";
const DIFFERS = "is not the file this page was built with: its SHA-256 differs";

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
 * Fetch a file and check its SHA-256.
 *
 * @param {SiteFile} file
 * @param {Options} [options]
 */
export async function fetchVerified(file, options = {}) {
  const bytes = await download(file, options, () => {});
  await verify(file, bytes);
  return bytes.buffer;
}

/**
 * Fetch a WebAssembly module and compile it while it arrives; nobody gets it before its SHA-256 is found right.
 *
 * @param {SiteFile} file
 * @param {Options} [options]
 */
export async function fetchModule(file, options = {}) {
  const { compiled, add, close } = compiler();
  const bytes = await download(file, options, add).finally(close);
  await verify(file, bytes);
  return (await compiled) ?? compile(file, bytes);
}

/** @param {SiteFile} file @param {BufferSource} bytes */
async function compile(file, bytes) {
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw new FileFailure(file.name, `cannot be run by this browser: ${error}`);
  }
}

/** Compile from chunks as they come; `compiled` is undefined where that fails, which is no news before the end. */
function compiler() {
  /** @type {ReadableStreamDefaultController | undefined} */
  let chunks;
  const body = new ReadableStream({
    start(controller) {
      chunks = controller;
    },
    cancel() {
      chunks = undefined;
    },
  });
  // Whatever type the server gives the file: else it would not be compiled.
  const response = new Response(body, { headers: { "Content-Type": "application/wasm" } });
  return {
    compiled: WebAssembly.compileStreaming(response).catch(() => undefined),
    add: (/** @type {Uint8Array} */ chunk) => chunks?.enqueue(chunk),
    close: () => chunks?.close(),
  };
}

/**
 * Fetch a file chunk by chunk, straight to its place: to join chunks at the end would hold up the page.
 *
 * @param {SiteFile} file
 * @param {Options} options
 * @param {(chunk: Uint8Array) => void} onChunk
 */
async function download(file, { again = false, onBytes = () => {} }, onChunk) {
  const stop = new AbortController();
  const silence = watch(() => stop.abort());
  const bytes = new Uint8Array(file.size);
  let problem = NO_ANSWER;
  let received = 0;
  try {
    const response = await fetch(file.url, { cache: again ? "reload" : "default", signal: stop.signal });
    problem = BROKEN_OFF;
    if (!response.ok) throw new FileFailure(file.name, `is missing: this site answered ${response.status}`);
    const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (received + part.value.length > file.size) throw new FileFailure(file.name, DIFFERS);
      bytes.set(part.value, received);
      received += part.value.length;
      silence.broken();
      onBytes(part.value.length);
      onChunk(part.value);
    }
    return bytes;
  } catch (error) {
    stop.abort();
    throw error instanceof FileFailure ? error : new FileFailure(file.name, problem);
  } finally {
    silence.end();
  }
}

/** Call `stop` after a long silence. @param {() => void} stop */
function watch(stop) {
  let timer = 0;
  const broken = () => {
    clearTimeout(timer);
    timer = setTimeout(stop, SECONDS_OF_SILENCE * 1000);
  };
  broken();
  return { broken, end: () => clearTimeout(timer) };
}

/** @param {SiteFile} file @param {BufferSource} bytes */
async function verify(file, bytes) {
  // To hash is to copy first: not in the task that took the last chunk, so that the page can draw in between.
  await new Promise((resolve) => setTimeout(resolve));
  if ((await sha256(bytes)) !== file.sha256) throw new FileFailure(file.name, DIFFERS);
}
