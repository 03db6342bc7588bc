/**
 * Registers the shop's webhook under its public address, and checks it once an hour. If a receiver fails for 24 hours,
 * the service pauses its endpoint, and only the list shows that. Registering the same URL again activates the endpoint
 * with a new secret. Messages from the meantime then have to be looked up.
 */
import { delayMs } from './api.js';

const EVENTS = ['message.received', 'message.status', 'otp.verified', 'template.status'];
const LOOK_EVERY_MS = 3_600_000;

/**
 * @param {object} parts
 * @param {import('./store.js').Store} parts.store
 * @param {import('./clock.js').Clock} parts.clock
 * @param {import('./api.js').Api} parts.api
 * @param {string} parts.url
 * @param {() => void} parts.missed called after each registration: events from before it may have been missed
 * @param {(line: string) => void} parts.log
 */
export function createEndpoint({ store, clock, api, url, missed, log }) {
  let dueMs = 0;
  let tries = 0;

  async function look() {
    const list = await api.listWebhooks();
    if (list.kind !== 'done') return list;
    /** @type {{ url: string, status: string, pause_reason?: string }[]} */
    const known = list.body.webhooks ?? [];
    const own = known.find((endpoint) => endpoint.url === url);
    if (own?.status === 'active' && store.facts.secret !== null) return list;
    if (own) log(`the endpoint is ${own.status} (${own.pause_reason ?? 'its secret is lost'}); registering it again`);
    const registered = await api.registerWebhook(url, EVENTS);
    if (registered.kind !== 'done') return registered;
    // Shown only once. Until it is on disk, a restart would have to register again.
    store.facts.secret = registered.body.secret;
    // Earlier events may not have been delivered.
    missed();
    await store.save();
    return registered;
  }

  return {
    due: () => dueMs,
    async run() {
      const outcome = await look();
      if (outcome.kind === 'done') {
        tries = 0;
        dueMs = clock.now() + LOOK_EVERY_MS;
        return;
      }
      // Listing changes nothing, and registering a URL twice has no further effect, so both can be repeated after any
      // failure.
      tries += 1;
      log(`the endpoint could not be looked after: ${outcome.why}`);
      dueMs = clock.now() + delayMs(outcome, tries);
    },
  };
}
