/**
 * The shop's data: tables in memory, stored completely in one JSON file. A shop with more than a few thousand customers
 * should use a database. The order of the steps matters in any case: **store first, then respond; store first, then send.**
 *
 * @typedef {{ atMs: number, event: Record<string, any> | null }} InboxEntry the event until it is processed, then null
 *
 * @typedef {object} Customer
 * @property {string | null} name
 * @property {number | null} lastInboundMs when they last wrote: opens the window
 * @property {number | null} askedMs when we last asked, by template, whether we may write
 * @property {string[]} parked texts that wait for an open window
 * @property {boolean} stopped wrote STOP: gets only codes
 * @property {boolean} noMarketing
 * @property {boolean} unreachable cannot be reached until they write
 *
 * @typedef {{ number: string, phone: string, state: 'placed' | 'shipped', notice: string | null }} Order
 *
 * @typedef {{ to: string, entry: string | null, status: string, error: string | null, atMs: number,
 *   createdMs: number, lookUp: boolean }} Message keyed by message_id; without an entry it is one that we know from events alone
 *
 * @typedef {object} Entry what is to be sent
 * @property {string} id
 * @property {string[]} to
 * @property {boolean} batch
 * @property {string | null} text a free-form text; null for a template
 * @property {string | null} template
 * @property {string[]} variables
 * @property {'waiting' | 'sending' | 'uncertain' | 'done'} state
 * @property {number} dueMs
 * @property {number} createdMs
 * @property {number} tries
 * @property {number} uncertain tries of which nobody knows how they ended
 * @property {number} sentMs start of the last try
 * @property {Record<string, { message: string } | { refused: string }>} results by recipient
 *
 * @typedef {{ status: string, category: string, submission: object | null, dueMs: number, tries: number }} Template
 *
 * @typedef {object} Login
 * @property {string} phone
 * @property {'sending' | 'sent' | 'expired' | 'locked' | 'failed' | 'signed in'} state
 * @property {string | null} otpId
 * @property {number} startedMs
 * @property {number} sentMs
 * @property {number} dueMs
 * @property {number} tries
 * @property {string | null} uncertain digest of a code whose verification got no answer
 * @property {boolean} heard otp.verified came for the current code
 *
 * @typedef {{ codes: number[], strikes: number[] }} Guard instants, per phone number
 */
import { open, readFile, rename } from 'node:fs/promises';

/** @typedef {Awaited<ReturnType<typeof openStore>>} Store */

/**
 * @param {string | null} file null keeps everything in memory
 * @throws Error if the file exists but cannot be read: starting with an empty store would send everything again
 */
export async function openStore(file) {
  const saved = file === null ? {} : await load(file);
  const tables = {
    /** @type {Map<string, InboxEntry>} */ inbox: new Map(saved.inbox),
    /** @type {Map<string, Customer>} */ customers: new Map(saved.customers),
    /** @type {Map<string, Order>} */ orders: new Map(saved.orders),
    /** @type {Map<string, Message>} */ messages: new Map(saved.messages),
    /** @type {Map<string, Entry>} */ outbox: new Map(saved.outbox),
    /** @type {Map<string, Template>} */ templates: new Map(saved.templates),
    /** @type {Map<string, Login>} */ logins: new Map(saved.logins),
    /** @type {Map<string, Guard>} */ guards: new Map(saved.guards),
  };
  const facts = {
    /** Number of different events received. */
    received: Number(saved.received ?? 0),
    /** Numbers the entries of the outbox. */
    count: Number(saved.count ?? 0),
    /** @type {string | null} of our endpoint */
    secret: saved.secret ?? null,
  };

  /** @type {Promise<void>} */
  let writing = Promise.resolve();
  /** @type {Promise<void> | null} */
  let next = null;

  async function write() {
    if (file === null) return;
    const rows = Object.entries(tables).map(([name, table]) => [name, [...table]]);
    const draft = await open(`${file}.new`, 'w', 0o600);
    try {
      await draft.writeFile(JSON.stringify({ ...facts, ...Object.fromEntries(rows) }));
      await draft.sync();
    } finally {
      await draft.close();
    }
    // The complete new file or the complete old one, even after a power failure.
    await rename(`${file}.new`, file);
  }

  return {
    ...tables,
    facts,
    /** Resolves when all changes so far are on disk. Callers during a write share the next one. */
    save() {
      next ??= writing
        .catch(() => undefined)
        .then(() => {
          next = null;
          return (writing = write());
        });
      return next;
    },
  };
}

/** @param {string} file @returns {Promise<any>} */
async function load(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (Object(error).code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read (${error}). Repair it, or move it away to begin with nothing.`);
  }
}
