/**
 * Templates, their reviews, and whether they can be used. The service's list is authoritative; an event only arrives
 * sooner. Pausing fires no event, and events are sent only while an endpoint is registered. So the list is read after
 * each registration, and twice an hour while a template is not approved.
 *
 * @typedef {ReturnType<typeof createTemplates>} Templates
 */
import { delayMs } from './api.js';

/** The templates that the shop needs; missing ones are submitted at the first start. */
export const OWN = {
  order_shipped: { category: 'utility', language: 'en', body: 'Order {{1}} is on its way.' },
  may_we_write: { category: 'utility', language: 'en', body: 'Hello {{1}}, may we write to you about your order?' },
  login_code: { category: 'authentication', language: 'en' },
};
export const LANGUAGE = 'en';

const LOOK_EVERY_MS = 30 * 60_000;
/** Final states. The name stays taken, so submitting the template again cannot work. */
const HOPELESS = new Set(['rejected', 'deleted', 'refused']);

/**
 * @param {import('./store.js').Store} store
 * @param {import('./clock.js').Clock} clock
 * @param {import('./api.js').Api} api
 * @param {(line: string) => void} log
 */
export function createTemplates(store, clock, api, log) {
  const { templates } = store;
  let listMs = 0;
  let listTries = 0;
  let listed = false;
  let stale = false;

  const submissions = () => [...templates].filter(([, { submission }]) => submission !== null);
  const isOpen = () => [...templates.values()].some(({ status }) => status === 'pending' || status === 'paused');
  const wantsList = () => !listed || stale || isOpen();

  /** The list must be read again. */
  function doubt() {
    stale = true;
    listMs = Math.min(listMs, clock.now());
  }

  /** @param {string} name @param {object} definition */
  function submit(name, definition) {
    const category = Object(definition).category;
    templates.set(name, { status: 'pending', category, submission: { name, ...definition }, dueMs: 0, tries: 0 });
  }

  async function readList() {
    const outcome = await api.listTemplates();
    if (outcome.kind !== 'done') {
      listTries += 1;
      listMs = clock.now() + delayMs(outcome, listTries);
      log(`templates could not be listed: ${outcome.why}`);
      return;
    }
    listTries = 0;
    stale = false;
    listMs = clock.now() + LOOK_EVERY_MS;
    for (const { name, status, category } of outcome.body.templates ?? []) {
      templates.set(name, { status, category, submission: null, dueMs: 0, tries: 0 });
    }
    if (!listed) for (const [name, own] of Object.entries(OWN)) if (!templates.has(name)) submit(name, own);
    listed = true;
    await store.save();
  }

  /** @param {string} name @param {import('./store.js').Template} template */
  async function handIn(name, template) {
    const outcome = await api.submitTemplate(/** @type {object} */ (template.submission));
    if (outcome.kind === 'done') template.submission = null;
    else if (outcome.kind === 'refused') {
      // It already exists: an earlier try succeeded. The list shows its state.
      if (outcome.code === 'template_exists') doubt();
      else template.status = 'refused';
      template.submission = null;
      log(`template ${name}: ${outcome.why}`);
    } else {
      template.tries += 1;
      // A name can be used only once, so retrying is safe, even after a lost response.
      template.dueMs = clock.now() + delayMs(outcome, template.tries);
    }
    await store.save();
  }

  return {
    submit,
    doubt,
    /** @param {string} name */
    get: (name) => templates.get(name),
    /** @param {string} name */
    isUsable: (name) => templates.get(name)?.status === 'approved',
    /**
     * A template that is not known counts as unusable only after the list was read.
     * @param {string} name
     */
    isHopeless: (name) => HOPELESS.has(templates.get(name)?.status ?? (listed ? 'deleted' : 'pending')),
    /**
     * The service rejected a send with it: the shop stops until the list shows that it can be used.
     * @param {string} name
     */
    wasRefused(name) {
      const template = templates.get(name);
      if (template) template.status = 'paused';
      doubt();
    },
    /** @param {Record<string, any>} data of template.status */
    hear({ name, status }) {
      const template = templates.get(name);
      if (!template) return;
      // The event can be hours later than the review, and later changes may have no event. The list is up to date.
      if (template.status === 'pending' && template.submission === null) template.status = status;
      else doubt();
    },
    due() {
      const look = wantsList() ? [listMs] : [];
      const times = [...look, ...submissions().map(([, { dueMs }]) => dueMs)];
      return times.length > 0 ? Math.min(...times) : null;
    },
    async run() {
      if (wantsList() && listMs <= clock.now()) await readList();
      for (const [name, template] of submissions()) if (template.dueMs <= clock.now()) await handIn(name, template);
    },
  };
}
