/**
 * Templates, their review, and whether one may be used. The list of the service is the truth; the event only brings the
 * news sooner. Pausing brings no event, and events are sent only while an endpoint is registered. So the list is read after
 * each registration, and twice an hour while something is not approved.
 *
 * @typedef {ReturnType<typeof createTemplates>} Templates
 */
import { backoffMs } from './api.js';

/** What the shop itself needs; submitted at the first start where it is missing. */
export const OWN = {
  order_shipped: { category: 'utility', language: 'en', body: 'Order {{1}} is on its way.' },
  may_we_write: { category: 'utility', language: 'en', body: 'Hello {{1}}, may we write to you about your order?' },
  login_code: { category: 'authentication', language: 'en' },
};
export const LANGUAGE = 'en';

const LOOK_EVERY_MS = 30 * 60_000;
/** Nothing is to be hoped for any more; and the name stays taken, so submitting it again is no way out. */
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

  /** What we know is out of date. */
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
      listMs = clock.now() + ((outcome.kind === 'later' ? outcome.afterMs : null) ?? backoffMs(listTries));
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
      // It is there already: an earlier try of ours got through. The list says how it stands.
      if (outcome.code === 'template_exists') doubt();
      else template.status = 'refused';
      template.submission = null;
      log(`template ${name}: ${outcome.why}`);
    } else {
      template.tries += 1;
      // A name can be taken once only, so trying again is safe, also after an answer that got lost.
      template.dueMs = clock.now() + ((outcome.kind === 'later' ? outcome.afterMs : null) ?? backoffMs(template.tries));
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
    /** One that we have not heard of is hopeless only once the list was read. @param {string} name */
    isHopeless: (name) => HOPELESS.has(templates.get(name)?.status ?? (listed ? 'deleted' : 'pending')),
    /** The service refused to send with it: nothing more until the list says that it may be used. @param {string} name */
    wasRefused(name) {
      const template = templates.get(name);
      if (template) template.status = 'paused';
      doubt();
    },
    /** @param {Record<string, any>} data of template.status */
    hear({ name, status }) {
      const template = templates.get(name);
      if (!template) return;
      // The event can lag the review by hours, and what happened since then be no event. The list knows.
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
