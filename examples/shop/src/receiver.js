/** Receives deliveries: checks the signature, stores the event, responds. The work is done afterwards (worker.js). */
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
    // Every forgery gets the same response, so that it reveals nothing.
    const { secret } = store.facts;
    if (secret === null || !isGenuine(secret, raw, request.headers['x-service-signature'])) return 401;
    const event = parseObject(raw);
    // The signature is valid but the JSON is not, so the service will send a complete copy.
    if (event === null || typeof event.id !== 'string' || typeof event.type !== 'string') return 400;
    inbox.take(/** @type {any} */ (event));
    // Also for a known event: the first of two concurrent ones may not be on disk yet.
    await store.save();
    poke();
    return 204;
  };
}
