/** Takes deliveries: looks at the signature, writes the event down, answers. The work comes afterwards (worker.js). */
import { parseObject, readBody } from './body.js';
import { isGenuine } from './signature.js';

const LIMIT_BYTES = 1024 * 1024;

/**
 * @param {object} parts
 * @param {import('./store.js').Store} parts.store
 * @param {import('./inbox.js').Inbox} parts.inbox
 * @param {() => void} parts.poke
 */
export function createReceiver({ store, inbox, poke }) {
  /**
   * @param {import('node:http').IncomingMessage} request
   * @returns {Promise<number>} the status to answer with
   */
  return async function receive(request) {
    const raw = await readBody(request, LIMIT_BYTES);
    if (raw === null) return 413;
    // Every forgery gets the same answer, whatever is wrong with it: it is nobody's business how far it came.
    const { secret } = store.facts;
    if (secret === null || !isGenuine(secret, raw, request.headers['x-service-signature'])) return 401;
    const event = parseObject(raw);
    // Rightly signed and broken all the same, so it broke on its way. It will come again, in one piece.
    if (event === null || typeof event.id !== 'string' || typeof event.type !== 'string') return 400;
    inbox.take(/** @type {any} */ (event));
    // Also for an event that we have already: the first of two at the same moment may still be on its way to the disk.
    await store.save();
    poke();
    return 204;
  };
}
