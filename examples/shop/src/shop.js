/** Assembles the shop from its parts. */
import { randomUUID } from 'node:crypto';
import { createApi } from './api.js';
import { machineClock } from './clock.js';
import { createConversation } from './conversation.js';
import { createCustomers } from './customers.js';
import { createEndpoint } from './endpoint.js';
import { createInbox } from './inbox.js';
import { createLogin } from './login.js';
import { createMessages } from './messages.js';
import { createOrders } from './orders.js';
import { createOutbox } from './outbox.js';
import { createReceiver } from './receiver.js';
import { openStore } from './store.js';
import { createTemplates } from './templates.js';
import { createWeb, routes } from './web.js';
import { createWorker } from './worker.js';

/**
 * @typedef {object} Settings
 * @property {string} baseUrl of the messaging service
 * @property {string} apiKey
 * @property {string} [publicUrl] where the service reaches us; must be https. Default: this machine, for tests
 * @property {string} [webhookSecret] of an endpoint that somebody else has registered; then the shop registers none
 * @property {number} [port] default 0: any free one
 * @property {string} [host] default 127.0.0.1
 * @property {string | null} [file] where to remember things; null, the default: in memory
 * @property {number} [apiTimeoutMs] longest wait for an answer of the service; default 10 s
 * @property {import('./clock.js').Clock} [clock]
 * @property {() => string} [newId]
 * @property {(line: string) => void} [log]
 */

/** @param {Settings} settings */
export async function startShop(settings) {
  const { baseUrl, apiKey, port = 0, host = '127.0.0.1', file = null, apiTimeoutMs = 10_000 } = settings;
  const { clock = machineClock, newId = randomUUID, log = () => {} } = settings;

  const store = await openStore(file);
  const api = createApi({ baseUrl, apiKey, clock, timeoutMs: apiTimeoutMs });
  const customers = createCustomers(store, clock);
  const messages = createMessages(store, clock, api, customers);
  const templates = createTemplates(store, clock, api, log);
  const conversation = createConversation({ store, clock, customers, outbox: () => outbox });
  const outbox = createOutbox({ store, clock, api, customers, messages, templates, park: conversation.park, log });
  const orders = createOrders({ store, customers, outbox });
  const login = createLogin({ store, clock, api, templates, newId, log });
  const inbox = createInbox(
    store,
    clock,
    {
      'message.received': conversation.hear,
      'message.status': (data) => {
        messages.hear(data);
        outbox.heardOf(String(data.to));
      },
      'otp.verified': login.hear,
      'template.status': templates.hear,
    },
    log,
  );

  /** @type {import('./worker.js').Job[]} in order of urgency */
  const jobs = [inbox, login, templates, outbox, messages];
  const worker = createWorker(clock, jobs, log);
  const receive = createReceiver({ store, inbox, poke: worker.poke });
  const changed = () => {
    worker.poke();
    return store.save();
  };
  const handlers = routes({ orders, conversation, outbox, templates, login, store });
  const server = createWeb({ handlers, receive, changed, log });
  await new Promise((listening, failed) => {
    server.once('error', failed).listen(port, host, () => listening(undefined));
  });
  const address = server.address();
  const ownPort = typeof address === 'object' && address ? address.port : port;

  if (settings.webhookSecret !== undefined) store.facts.secret = settings.webhookSecret;
  else {
    const url = `${settings.publicUrl ?? `https://localhost:${ownPort}`}/hooks/messaging`;
    // Registers first: events from before the registration are never delivered.
    const missed = () => {
      templates.doubt();
      messages.lookUpUnfinished();
    };
    jobs.unshift(createEndpoint({ store, clock, api, url, missed, log }));
  }
  worker.poke();

  return {
    url: `http://127.0.0.1:${ownPort}`,
    /** Resolves when no work is left; true if there was anything to wait for. */
    idle: worker.idle,
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeIdleConnections();
      await worker.close();
      server.closeAllConnections();
      await closed;
      await store.save();
    },
  };
}
