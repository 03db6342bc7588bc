/**
 * Entries to send, and their results. An entry is stored before the first try, so a crash loses none. It is marked as
 * `sending` before the call, so a crash during the call makes it uncertain.
 *
 * @typedef {ReturnType<typeof createOutbox>} Outbox
 * @typedef {import('./store.js').Entry} Entry
 */
import { delayMs } from './api.js';
import { LANGUAGE } from './templates.js';

/**
 * Time to wait for an event about a send whose response was lost. A status event that failed once is repeated after a
 * minute.
 */
const SIGN_MS = 120_000;
/** Maximum number of sends without a response, because each of them may have arrived. */
const MOST_UNCERTAIN = 10;
/** A message that could not be sent for a day is out of date. */
const STALE_MS = 24 * 3_600_000;
/** A 429 does not say whether it is for the account or for this recipient. All sends wait, but not for as long. */
const ALL_WAIT_MS = 2_000;
const KEEP_MS = 48 * 3_600_000;

/**
 * @param {object} parts
 * @param {import('./store.js').Store} parts.store
 * @param {import('./clock.js').Clock} parts.clock
 * @param {import('./api.js').Api} parts.api
 * @param {import('./customers.js').Customers} parts.customers
 * @param {import('./messages.js').Messages} parts.messages
 * @param {import('./templates.js').Templates} parts.templates
 * @param {(phone: string, text: string) => void} parts.park what to do with a text whose window is closed
 * @param {(line: string) => void} parts.log
 */
export function createOutbox({ store, clock, api, customers, messages, templates, park, log }) {
  const { outbox } = store;
  let pausedMs = 0;
  // A crash interrupted the call.
  for (const entry of outbox.values()) {
    if (entry.state === 'sending') Object.assign(entry, { state: 'uncertain', dueMs: clock.now() + SIGN_MS });
  }

  /** @param {Pick<Entry, 'to'> & Partial<Entry>} entry @returns {string} its id */
  function add(entry) {
    const id = String((store.facts.count += 1));
    const usual = { batch: false, text: null, template: null, variables: [] };
    outbox.set(id, {
      ...usual,
      ...entry,
      id,
      state: 'waiting',
      dueMs: clock.now(),
      createdMs: clock.now(),
      tries: 0,
      uncertain: 0,
      sentMs: clock.now(),
      results: {},
    });
    return id;
  }

  /**
   * Returns the recipients whose message has no known outcome.
   * @param {Entry} entry
   */
  const left = ({ to, results }) => to.filter((phone) => results[phone] === undefined);

  /** Returns the entries that may be next: the first for each customer, so that messages arrive in order. */
  function* candidates() {
    const busy = new Set();
    for (const entry of outbox.values()) {
      if (entry.state === 'done') continue;
      const lane = entry.batch ? entry.id : entry.to[0];
      if (busy.has(lane)) continue;
      const { template } = entry;
      // An entry that waits for the review of its template does not block replies to the customer.
      if (template !== null && !templates.isUsable(template) && !templates.isHopeless(template)) continue;
      busy.add(lane);
      yield entry;
    }
  }

  const dueOf = (/** @type {Entry} */ entry) => Math.max(entry.dueMs, entry.state === 'uncertain' ? 0 : pausedMs);

  /** @param {Entry} entry */
  async function advance(entry) {
    if (entry.state === 'uncertain') {
      claim(entry);
      if (entry.uncertain >= MOST_UNCERTAIN) giveUp(entry, `no sign of it in ${MOST_UNCERTAIN} tries`);
    }
    const { template, text } = entry;
    const category = template === null ? 'service' : (templates.get(template)?.category ?? 'marketing');
    for (const phone of left(entry)) {
      const objection = customers.objection(phone, category);
      if (objection !== null) settle(entry, phone, objection);
    }
    if (template !== null && templates.isHopeless(template)) {
      giveUp(entry, `template ${template} is ${templates.get(template)?.status ?? 'unknown'}`);
    }
    const [first] = left(entry);
    if (first === undefined) entry.state = 'done';
    else if (text !== null && !customers.isWindowOpen(first)) turnIntoTemplate(entry, first, text);
    else await send(entry);
    await store.save();
  }

  /** @param {Entry} entry */
  async function send(entry) {
    const to = left(entry);
    const [only = ''] = to;
    Object.assign(entry, { state: 'sending', sentMs: clock.now(), tries: entry.tries + 1 });
    await store.save();
    const { template: name, variables, text } = entry;
    const content =
      name === null ? { type: 'text', text } : { type: 'template', template: { name, language: LANGUAGE, variables } };
    const outcome = await api.sendMessage({ to: entry.batch ? to : only, ...content });
    entry.state = 'waiting';
    if (outcome.kind === 'done') return taken(entry, outcome.body);
    if (outcome.kind === 'refused') return refused(entry, outcome);
    if (outcome.kind === 'uncertain') {
      entry.uncertain += 1;
      entry.state = 'uncertain';
      entry.dueMs = clock.now() + SIGN_MS;
      log(`${outcome.why}; waiting for a sign of it before it is sent again`);
      return;
    }
    if (clock.now() > entry.createdMs + STALE_MS) return giveUp(entry, `not within a day: ${outcome.why}`);
    entry.dueMs = clock.now() + delayMs(outcome, entry.tries);
    if (outcome.limited) pausedMs = Math.min(entry.dueMs, clock.now() + ALL_WAIT_MS);
  }

  /**
   * A batch may be accepted in part, so each result counts separately.
   * @param {Entry} entry
   * @param {Record<string, any>} body
   */
  function taken(entry, body) {
    const results = entry.batch ? (body.results ?? []) : [{ to: entry.to[0], ok: true, message_id: body.message_id }];
    for (const { to, ok, message_id: id, error } of results) {
      if (ok && typeof id === 'string') sent(entry, to, id);
      else {
        const code = String(Object(error).code ?? 'refused');
        customers.failed(to, code);
        settle(entry, to, code);
      }
    }
    entry.state = 'done';
  }

  /** @param {Entry} entry @param {Extract<import('./api.js').Outcome, { kind: 'refused' }>} refusal */
  function refused(entry, { code, why }) {
    const [first = ''] = entry.to;
    if (entry.template !== null && code === 'template_not_approved') {
      templates.wasRefused(entry.template);
      // If the list contradicts the rejection, retry once a minute, not a thousand times a second.
      entry.dueMs = clock.now() + 60_000;
    } else if (entry.text !== null && code === 'send_failed') {
      customers.windowIsClosed(first);
      turnIntoTemplate(entry, first, entry.text);
    } else giveUp(entry, why);
  }

  /** @param {Entry} entry @param {string} phone @param {string} text */
  function turnIntoTemplate(entry, phone, text) {
    settle(entry, phone, 'window closed');
    entry.state = 'done';
    park(phone, text);
  }

  /**
   * Returns messages that the service has although their response was lost.
   * @param {Entry} entry
   */
  function claim(entry) {
    for (const phone of left(entry)) {
      const id = messages.unclaimed(phone, entry.sentMs);
      if (id !== undefined) sent(entry, phone, id);
    }
  }

  /** @param {Entry} entry @param {string} phone @param {string} message */
  function sent(entry, phone, message) {
    messages.know(message, phone, entry.id);
    entry.results[phone] = { message };
  }

  /** @param {Entry} entry @param {string} phone @param {string} reason */
  function settle(entry, phone, reason) {
    entry.results[phone] = { refused: reason };
    log(`entry ${entry.id} to ${phone} is not sent: ${reason}`);
  }

  /** @param {Entry} entry @param {string} reason */
  function giveUp(entry, reason) {
    for (const phone of left(entry)) settle(entry, phone, reason);
    entry.state = 'done';
  }

  function forget() {
    for (const [id, { state, sentMs }] of outbox) {
      if (state === 'done' && sentMs < clock.now() - KEEP_MS) outbox.delete(id);
    }
  }

  return {
    add,
    /**
     * Returns the outcome of an entry, by recipient: the status of the message, or why there is none.
     * @param {string} id
     */
    outcome(id) {
      const entry = outbox.get(id);
      if (!entry) return null;
      return Object.fromEntries(
        entry.to.map((phone) => {
          const result = entry.results[phone];
          if (!result) return [phone, 'queued'];
          if ('refused' in result) return [phone, `not sent: ${result.refused}`];
          const message = store.messages.get(result.message);
          return [phone, message?.error ? `failed: ${message.error}` : (message?.status ?? 'accepted')];
        }),
      );
    },
    /**
     * A status event arrived; an entry may be waiting for it.
     * @param {string} phone
     */
    heardOf(phone) {
      for (const entry of outbox.values()) {
        if (entry.state !== 'uncertain' || !left(entry).includes(phone)) continue;
        claim(entry);
        if (left(entry).length === 0) entry.state = 'done';
      }
    },
    due() {
      const times = [...candidates()].map(dueOf);
      return times.length > 0 ? Math.min(...times) : null;
    },
    async run() {
      const entry = [...candidates()].find((candidate) => dueOf(candidate) <= clock.now());
      if (entry) await advance(entry);
      forget();
    },
  };
}
