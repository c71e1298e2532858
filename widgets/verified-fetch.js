// Fetching a file of this site and making sure that its bytes are the ones the page was built with.

import { readBody } from "./read-body.js";
import { sha256 } from "./sha256.js";

/**
 * @typedef {{ name: string, url: string, sha256: string, size: number }} SiteFile
 * @typedef {{ again?: boolean, onBytes?: (count: number) => void, onArrived?: (bytes: ArrayBuffer) => void }} Options
 *   `again` passes over whatever the browser's cache holds; `onArrived` hears of bytes that nobody knows yet to be right
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
  const bytes = await download(file, options, async () => {});
  await verify(file, bytes, () => options.onArrived?.(bytes.buffer));
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

/**
 * Compile from chunks as they come; `compiled` is undefined where that fails, which is no news before the end. To `add`
 * a chunk takes until it has been read, and its memory is needed no more.
 */
function compiler() {
  /** @type {PromiseWithResolvers<ReadableStreamDefaultController | undefined>} */
  let asked = Promise.withResolvers();
  let isOpen = true;
  const pull = (/** @type {ReadableStreamDefaultController} */ controller) => asked.resolve(controller);
  const end = () => {
    isOpen = false;
    asked.resolve(undefined);
  };
  const body = new ReadableStream({ pull, cancel: end }, { highWaterMark: 0 });
  const next = async () => {
    const chunks = await asked.promise;
    return isOpen ? chunks : undefined;
  };
  // Whatever type the server gives the file: else it would not be compiled.
  const response = new Response(body, { headers: { "Content-Type": "application/wasm" } });
  const compiled = WebAssembly.compileStreaming(response).catch(() => undefined);
  // Who has failed asks for nothing more.
  compiled.then(end);
  return {
    compiled,
    async add(/** @type {Uint8Array} */ chunk) {
      const chunks = await next();
      if (!chunks) return;
      asked = Promise.withResolvers();
      chunks.enqueue(chunk);
      await asked.promise;
    },
    close: async () => (await next())?.close(),
  };
}

/**
 * Fetch a file chunk by chunk.
 *
 * @param {SiteFile} file
 * @param {Options} options
 * @param {(chunk: Uint8Array) => Promise<void>} onChunk
 */
async function download(file, { again = false, onBytes = () => {} }, onChunk) {
  const stop = new AbortController();
  const silence = watch(() => stop.abort());
  let problem = NO_ANSWER;
  try {
    const response = await fetch(file.url, { cache: again ? "reload" : "default", signal: stop.signal });
    problem = BROKEN_OFF;
    if (!response.ok) throw new FileFailure(file.name, `is missing: this site answered ${response.status}`);
    const body = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body);
    return await readBody(body, file.size, async (chunk) => {
      silence.broken();
      onBytes(chunk.length);
      await onChunk(chunk);
    });
  } catch (error) {
    stop.abort();
    if (error instanceof RangeError) problem = DIFFERS;
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

/** @param {SiteFile} file @param {BufferSource} bytes @param {() => void} meanwhile may give the bytes away */
async function verify(file, bytes, meanwhile = () => {}) {
  // To hash is to copy first: not in the task that took the last chunk, so that the page can draw in between.
  await new Promise((resolve) => setTimeout(resolve));
  // By now they are copied, and what becomes of them does not change what is verified.
  const hash = sha256(bytes);
  meanwhile();
  if ((await hash) !== file.sha256) throw new FileFailure(file.name, DIFFERS);
}
