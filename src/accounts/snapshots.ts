/** Snapshots are one JSON text, including clock and pending jobs; forks are copies with a new key. */
import { ServiceError, invalidField } from '../domain/errors.js';
import { mustBe } from '../domain/must-be.js';
import { byDefault } from '../domain/explain.js';
import { isoTime, parseInstant } from '../domain/instant.js';
import { isShallow } from '../domain/json.js';
import { maxSnapshotBytes } from '../domain/limits.js';
import type { AccountData, PlainAccountData } from '../store/account-data.js';
import type { Problem } from '../store/account-schema.js';
import type { SystemClock } from '../time/system-clock.js';
import type { Account } from '../account/account.js';
import type { Accounts } from './registry.js';

const version = 2;
const deepest = 100;

export interface Snapshot {
  readonly version: number;
  readonly name: string;
  readonly taken_at: string;
  readonly state: PlainAccountData;
}

/** A running clock is stored with its present time, so that a restored account continues from there. */
export function takeSnapshot({ store, clock }: Account, name: string, takenAtMs: number): string {
  const meta = { ...store.meta, clock: { ...clock.state, baseMs: takenAtMs } };
  return snapshotText({ version, name, taken_at: isoTime(takenAtMs), state: { meta, tables: store.tables } });
}

/** Name and time come first, because lists of snapshots read no further. */
export function snapshotText({ name, taken_at, state }: Omit<Snapshot, 'state'> & { readonly state: object }): string {
  const text = JSON.stringify({ version, name, taken_at, state });
  if (Buffer.byteLength(text) <= maxSnapshotBytes) return text;
  throw new ServiceError(
    'limit_reached',
    `This account is too large for a snapshot (limit: ${maxSnapshotBytes / 2 ** 20} MB). Reset it, or start with --data and copy its file.`,
  );
}

/** The content is not validated, although users can edit the file. */
export function readSnapshot(name: string, text: string): object {
  const damage = (what: string) =>
    new ServiceError(
      'validation_error',
      `The snapshot "${name}" is damaged: ${what}. Nothing was changed. Replace it with a valid one, or delete it.`,
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damage(`its file is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw damage('its file does not contain a JSON object');
}

export async function parseSnapshot(value: unknown): Promise<Snapshot> {
  if (!isShallow(value, deepest)) throw invalidField('state', `is nested too deeply: more than ${deepest} levels`);
  const { version: found, name, taken_at, state } = value as Record<string, unknown>;
  if (found !== version) {
    throw invalidField('version', mustBe(`${version}, the version this sandbox writes`, found));
  }
  if (typeof name !== 'string') throw invalidField('name', mustBe('a text', name));
  if (typeof taken_at !== 'string' || parseInstant(taken_at) === null) {
    throw invalidField('taken_at', mustBe('an instant such as 2026-03-01T09:00:00.000Z', taken_at));
  }
  return { version, name, taken_at, state: await parseState(state) };
}

async function parseState(value: unknown): Promise<PlainAccountData> {
  // Only a snapshot needs the schemas.
  const { parsePlainData } = await import('../store/account-schema.js');
  const { storedScriptProblems } = await import('../stage/stored-script.js');
  const state = parsePlainData(value);
  if ('problems' in state) throw damaged(state.problems);
  const problems = storedScriptProblems(state.tables);
  if (problems.length > 0) throw damaged(problems);
  return state;
}

const mostDetails = 20;

function damaged(problems: readonly Problem[]): ServiceError {
  const details = problems.slice(0, mostDetails).map(({ path, message }) => ({ field: `state.${path}`, message }));
  return new ServiceError('validation_error', 'The snapshot is damaged or was edited; nothing was changed.', {
    details,
  });
}

export function requireStillClock({ scheduler }: Account): void {
  if (!scheduler.advancing) return;
  throw new ServiceError(
    'clock_advancing',
    'The clock is already being advanced. Wait for that call to return, then restore.',
  );
}

/** Takes over the rows of the snapshot. Attempts in flight are ignored. */
export function restoreSnapshot(account: Account, { state }: Snapshot): void {
  const { store, scheduler, clock } = account;
  requireStillClock(account);
  account.generation.end('restored from a snapshot');
  store.update(() => {
    store.replace(state);
    const { mode, scale, baseMs } = state.meta.clock;
    store.setClock(clock.set(mode, scale, baseMs, state.meta.clock));
  });
  account.script.reload();
  scheduler.reload();
  scheduler.runDue();
}

/** The copy is frozen at this instant. It has no snapshots, and attempts in flight stay with the source. */
export async function forkAccount(
  accounts: Accounts,
  source: Account,
  key: string,
  host: SystemClock,
): Promise<Account> {
  requireFree(accounts, key);
  accounts.requireRoom();
  const { store, clock, dispatcher } = source;
  store.requireWritable();
  const data = store.copy({
    clock: { mode: 'frozen', scale: 1, baseMs: clock.now(), anchorMs: host.now() },
    streams: store.meta.streams ?? source.key,
  });
  dropInFlight(
    data,
    Array.from(dispatcher.inFlight.jobs(), ({ id }) => id),
  );
  const fork = accounts.addCopy(key, data);
  try {
    await fork.store.answerable();
  } catch (error) {
    // A refused fork leaves no account.
    await accounts.drop(key).catch(() => undefined);
    throw error;
  }
  return fork;
}

/** An attempt in flight is made once, by the source: its delivery in the fork is dropped, with this reason. */
function dropInFlight({ tables: { jobs, deliveries } }: AccountData, ids: readonly string[]): void {
  for (const id of ids) {
    const job = jobs.get(id);
    const delivery = job && deliveries.get(job.subject);
    if (job) jobs.delete(job);
    if (delivery) deliveries.patch(delivery, { state: 'dropped', nextAttemptAtMs: null, explain: stayed });
  }
}

const stayed = byDefault('The attempt was in flight when the account was forked, and stayed with its source.');

function requireFree(accounts: Accounts, key: string): void {
  if (!accounts.accepts(key)) {
    throw invalidField('to', 'is not among the keys that this sandbox accepts; add it to --api-keys');
  }
  if (!accounts.get(key)) return;
  throw new ServiceError(
    'name_taken',
    `Account ${key} already exists. Delete it with DELETE /_sandbox/accounts/${encodeURIComponent(key)}, or fork to another key.`,
  );
}
