/** The raw bytes of a request. They are kept unchanged, because a signature covers the bytes. */

/** A larger body is rejected. */
const HANG_UP_BYTES = 16 * 1024 * 1024;

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {number} limit in bytes
 * @returns {Promise<Buffer | null>} null if there is more than the limit; the rest is read and dropped, because a
 *   client that sends a large body reads the response only when it has sent everything
 */
export async function readBody(request, limit) {
  /** @type {Buffer[]} */
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > HANG_UP_BYTES) throw new Error(`a body of more than ${HANG_UP_BYTES} bytes`);
    if (length <= limit) chunks.push(chunk);
  }
  return length > limit ? null : Buffer.concat(chunks);
}

/**
 * @param {Buffer | string} text
 * @returns {Record<string, any> | null} null if it is not a JSON object
 */
export function parseObject(text) {
  try {
    const value = JSON.parse(text.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
