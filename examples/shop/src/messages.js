/**
 * The status of each message. Events can arrive late, twice, out of order, or before the response to the call that
 * caused them. So a status only moves forward, and one for an unknown message is stored: it may be the only trace of a
 * send whose response was lost (outbox.js).
 *
 * @typedef {ReturnType<typeof createMessages>} Messages
 */
import { delayMs } from './api.js';

const ORDER = ['accepted', 'sent', 'delivered', 'read'];
const FINAL = new Set(['read', 'failed']);
const KEEP_MS = 7 * 24 * 3_600_000;

/**
 * @param {import('./store.js').Store} store
 * @param {import('./clock.js').Clock} clock
 * @param {import('./api.js').Api} api
 * @param {import('./customers.js').Customers} customers
 */
export function createMessages(store, clock, api, customers) {
  const { messages } = store;
  let lookUpMs = 0;
  let tries = 0;

  /** @param {string} id @param {string} to @param {string | null} entry */
  function know(id, to, entry) {
    let message = messages.get(id);
    if (!message) {
      const now = clock.now();
      message = { to, entry, status: 'accepted', error: null, atMs: now, createdMs: now, lookUp: false };
      messages.set(id, message);
    }
    message.entry ??= entry;
    return message;
  }

  /** @param {import('./store.js').Message} message @param {string} status @param {unknown} error */
  function move(message, status, error) {
    const forward = status === 'failed' || ORDER.indexOf(status) > ORDER.indexOf(message.status);
    if (FINAL.has(message.status) || !forward) return;
    Object.assign(message, { status, atMs: clock.now() });
    if (status !== 'failed') return;
    message.error = String(Object(error).code ?? 'unknown_error');
    customers.failed(message.to, message.error);
  }

  function forget() {
    for (const [id, { createdMs }] of messages) {
      if (createdMs > clock.now() - KEEP_MS) return;
      messages.delete(id);
    }
  }

  const next = () => [...messages].find(([, { lookUp }]) => lookUp);

  return {
    know,
    /** @param {Record<string, any>} data of message.status */
    hear({ message_id: id, to, status, error }) {
      if (typeof id !== 'string' || typeof to !== 'string') return;
      move(know(id, to, null), String(status), error);
      forget();
    },
    /**
     * A message to this number that no entry claims, first seen since then.
     * @param {string} to
     * @param {number} sinceMs
     */
    unclaimed: (to, sinceMs) =>
      [...messages].find(([, found]) => found.entry === null && found.to === to && found.createdMs >= sinceMs)?.[0],
    /** Events were missed, so messages without a final status have to be looked up. */
    lookUpUnfinished() {
      for (const message of messages.values()) message.lookUp = message.entry !== null && !FINAL.has(message.status);
      lookUpMs = clock.now();
    },
    due: () => (next() ? lookUpMs : null),
    async run() {
      const [id, message] = next() ?? [];
      if (id === undefined || !message) return;
      const outcome = await api.lookUpMessage(id);
      if (outcome.kind === 'later' || outcome.kind === 'uncertain') {
        // Reading changes nothing, so it can always be repeated.
        tries += 1;
        lookUpMs = clock.now() + delayMs(outcome, tries);
        return;
      }
      tries = 0;
      message.lookUp = false;
      if (outcome.kind === 'done') move(message, String(outcome.body.status), outcome.body.error);
      await store.save();
    },
  };
}
