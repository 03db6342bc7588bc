/**
 * Processes each event once. The receiver stores events and responds. Processing happens later, and continues after a
 * crash.
 *
 * @typedef {ReturnType<typeof createInbox>} Inbox
 */

/** The service repeats an event for 24 hours, so its id is not needed after two days. */
const KEEP_MS = 48 * 3_600_000;

/**
 * @param {import('./store.js').Store} store
 * @param {import('./clock.js').Clock} clock
 * @param {Record<string, (data: Record<string, any>, createdMs: number) => void>} handlers by event type
 * @param {(line: string) => void} log
 */
export function createInbox(store, clock, handlers, log) {
  /** @type {string[]} ids of events that nobody has looked at yet */
  const waiting = [...store.inbox].filter(([, { event }]) => event !== null).map(([id]) => id);

  return {
    /** @param {Record<string, any> & { id: string }} event @returns {boolean} false for one that we have already */
    take(event) {
      if (store.inbox.has(event.id)) return false;
      store.inbox.set(event.id, { atMs: clock.now(), event });
      store.facts.received += 1;
      waiting.push(event.id);
      return true;
    },
    due: () => (waiting.length > 0 ? 0 : null),
    async run() {
      for (const id of waiting.splice(0)) {
        const entry = store.inbox.get(id);
        if (entry?.event) work(entry.event);
        // The result and the mark that it was processed are one write.
        if (entry) entry.event = null;
      }
      forget();
      await store.save();
    },
  };

  /** @param {Record<string, any>} event */
  function work({ id, type, created_at: createdAt, data }) {
    // Services add new event types. An unknown one is ignored; it is not an error.
    const handle = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
    try {
      handle?.(Object(data), Date.parse(createdAt) || clock.now());
    } catch (error) {
      // An event that causes an error must not block the others.
      log(`event ${id} (${type}) could not be handled: ${error instanceof Error ? error.stack : error}`);
    }
  }

  function forget() {
    for (const [id, { atMs }] of store.inbox) {
      if (atMs > clock.now() - KEEP_MS) return; // oldest first
      store.inbox.delete(id);
    }
  }
}
