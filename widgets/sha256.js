// The SHA-256 of bytes, as hexadecimal digits.

/** Takes a copy of the bytes before it returns. @param {BufferSource} bytes @returns {Promise<string>} */
export async function sha256(bytes) {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
