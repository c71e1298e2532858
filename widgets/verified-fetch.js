// Fetching a file of this site and making sure that its bytes are the ones the page was built with.

/**
 * @typedef {{ name: string, url: string, sha256: string, size: number }} SiteFile
 * @typedef {{ again?: boolean, onBytes?: (count: number) => void }} Options
 *   `again` passes over whatever the browser's cache holds
 */

// A proxy or a download manager may take a request and never answer.
const SECONDS_OF_SILENCE = 30;

// To take a file chunk by chunk costs the page more than it saves where there is little to compile.
const WORTH_STREAMING = 4_000_000;

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
 * @returns its bytes, and the same as a blob to be kept
 */
export async function fetchVerified(file, options = {}) {
  const blob = await download(file, options);
  const bytes = await blob.arrayBuffer();
  await verify(file, bytes);
  return { blob, bytes };
}

/**
 * Fetch a WebAssembly module, a large one compiled while it arrives; nobody gets it before its SHA-256 is found right.
 *
 * @param {SiteFile} file
 * @param {Options} [options]
 */
export async function fetchModule(file, options = {}) {
  if (file.size < WORTH_STREAMING) return compile(file, (await fetchVerified(file, options)).bytes);
  const { compiled, add, close } = compiler();
  const bytes = await stream(file, options, add);
  close();
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
 * Fetch a file chunk by chunk.
 *
 * @param {SiteFile} file
 * @param {Options} options
 * @param {(chunk: Uint8Array) => void} onChunk
 */
async function stream(file, { again = false, onBytes = () => {} }, onChunk) {
  const stop = new AbortController();
  const silence = watch(() => stop.abort());
  let problem = NO_ANSWER;
  try {
    const response = await fetch(file.url, { cache: again ? "reload" : "default", signal: stop.signal });
    problem = BROKEN_OFF;
    if (!response.ok) throw new FileFailure(file.name, missing(response.status));
    const reader = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body).getReader();
    const chunks = [];
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      chunks.push(part.value);
      silence.broken();
      onBytes(part.value.length);
      onChunk(part.value);
    }
    return joined(chunks);
  } catch (error) {
    throw error instanceof FileFailure ? error : new FileFailure(file.name, problem);
  } finally {
    silence.end();
  }
}

/** @param {Uint8Array[]} chunks */
function joined(chunks) {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/**
 * Fetch a file as a whole. Not by `fetch`, which tells how far it is only to a page that takes every chunk: that
 * costs the page twice the time.
 *
 * @param {SiteFile} file
 * @param {Options} options
 * @returns {Promise<Blob>}
 */
function download(file, { again = false, onBytes = () => {} }) {
  return new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ problem) => reject(new FileFailure(file.name, problem));
    const request = new XMLHttpRequest();
    const silence = watch(() => request.abort());
    let received = 0;
    request.responseType = "blob";
    request.onprogress = ({ loaded }) => {
      silence.broken();
      onBytes(loaded - received);
      received = loaded;
    };
    request.onload = () => (request.status === 200 ? resolve(request.response) : fail(missing(request.status)));
    request.onerror = () => fail(received > 0 ? BROKEN_OFF : NO_ANSWER);
    request.onabort = request.onerror;
    request.onloadend = () => silence.end();
    request.open("GET", file.url);
    if (again) request.setRequestHeader("Cache-Control", "no-cache");
    request.send();
  });
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

/** @param {number} status */
function missing(status) {
  return `is missing: this site answered ${status}`;
}

/** @param {SiteFile} file @param {BufferSource} bytes */
async function verify(file, bytes) {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (hash !== file.sha256) throw new FileFailure(file.name, DIFFERS);
}
