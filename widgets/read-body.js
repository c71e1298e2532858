// Reading what arrives straight to where it is wanted: fresh memory for each copy in between costs a start more than the
// copying does.

/**
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 * @param {number} size how many bytes there should be
 * @param {(chunk: Uint8Array) => Promise<void>} onChunk hears of each chunk; the next is read once it is done with this
 * @throws {RangeError} when more bytes come than that; where fewer come, the others stay zero
 */
export async function readBody(body, size, onChunk) {
  const { reader, isStraight } = readerOf(body);
  let bytes = new Uint8Array(size);
  let at = 0;
  while (true) {
    const isFull = at === size;
    const { done, value } = await reader.read(isFull ? new Uint8Array(1) : bytes.subarray(at));
    // The memory has gone to the reader and comes back.
    if (isStraight && !isFull && value) bytes = new Uint8Array(value.buffer);
    if (done) return bytes;
    if (at + value.length > size) throw new RangeError(`more than ${size} bytes`);
    if (!isStraight) bytes.set(value, at);
    at += value.length;
    await onChunk(value);
  }
}

/** @param {ReadableStream<Uint8Array<ArrayBuffer>>} body */
function readerOf(body) {
  try {
    return { reader: body.getReader({ mode: "byob" }), isStraight: true };
  } catch {
    // WebKit gives chunks with memory of their own only.
    return { reader: body.getReader(), isStraight: false };
  }
}
