/** Converts an account to one JSON text, including clock and pending jobs, and back. */
import { invalidField, ServiceError } from '../domain/errors.js';
import { isoTime } from '../domain/instant.js';
import { maxSnapshotBytes } from '../domain/limits.js';
import { storedScriptProblems } from '../scenario/runtime/invalid.js';
import {
  type AccountData,
  createTables,
  type PlainAccountData,
  tableEntries,
  type Tables,
} from '../store/tables/account-data.js';
import { accountSlices } from '../store/tables/capture.js';
import { isObject } from '../domain/check.js';
import { parsePlainData, PlainDataError } from '../store/schema/account-schema.js';
import { consistencyProblems } from '../store/schema/consistency.js';
import { readJson, type ReadOptions, UnreadableJson } from '../store/snapshots/json-reader.js';
import type { StoredSnapshot } from '../store/snapshots/snapshot-shelf.js';
import type { SystemClock } from '../time/system-clock.js';
import { inTurns, type Steps, turnOfOthers } from '../time/turns.js';
import type { Account } from '../account/account.js';

const version = 1;

export interface Snapshot {
  readonly version: number;
  readonly name: string;
  readonly taken_at: string;
  readonly state: PlainAccountData;
}

/**
 * Captures the account at this instant. Its slices of JSON are made one at a time while the account continues to work, so
 * that no call waits for more than one slice, however large the account is.
 */
export function takeSnapshot(account: Account, name: string, takenAtMs: number) {
  const capture = account.store.capture();
  // A running clock is stored with its present time, so that a restored account continues from the instant of the
  // snapshot.
  const clock = { ...account.clock.state, baseMs: takenAtMs };
  return {
    /** @throws ServiceError `limit_reached` if the account is too large to be restored */
    slices: (host: SystemClock, most = maxSnapshotBytes): AsyncGenerator<Buffer> =>
      inSlices({ version, name, taken_at: isoTime(takenAtMs) }, capture.slices({ clock }), host, most),
    /** Always call this, or the account keeps the old rows indefinitely. */
    release: () => capture.release(),
  };
}

/** Returns a snapshot as slices of JSON, in the same form as `takeSnapshot`. */
export function snapshotSlices({ state, ...head }: Snapshot, host: SystemClock): AsyncGenerator<Buffer> {
  const tables = Object.entries(state.tables).map(([name, rows]) => [name, texts(rows)] as const);
  return inSlices(head, accountSlices(state.meta, tables), host, maxSnapshotBytes);
}

function* texts(rows: readonly object[]): Generator<string> {
  for (const row of rows) yield JSON.stringify(row);
}

async function* inSlices(head: Omit<Snapshot, 'state'>, state: Iterable<string>, host: SystemClock, most: number) {
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"state":{`);
  let size = 0;
  for (const text of state) {
    const slice = Buffer.from(text);
    size += slice.byteLength;
    if (size > most) throw tooLarge(most);
    yield slice;
    await turnOfOthers(host);
  }
  yield Buffer.from('}}');
}

function tooLarge(most: number): ServiceError {
  return new ServiceError(
    'limit_reached',
    `This account is too large for a snapshot (limit: ${most / 1e6} MB). Reset it, or start with --data and copy its file.`,
  );
}

/**
 * Returns the contents of a stored snapshot without validating them, although users can edit the file.
 * @throws ServiceError `validation_error` if the file is incomplete or is not a snapshot
 */
export async function readSnapshot(
  { info, slices }: StoredSnapshot,
  host: SystemClock,
  options?: ReadOptions,
): Promise<object> {
  const damage = (what: string) =>
    new ServiceError(
      'validation_error',
      `The snapshot "${info.name}" is damaged: ${what}. Nothing was changed. Replace it with a valid one, or delete it.`,
    );
  try {
    const value = await readJson(slices(), host, options);
    if (isObject(value)) return value;
  } catch (error) {
    throw error instanceof UnreadableJson ? damage(`its file is not JSON (${error.message})`) : error;
  }
  throw damage('its file does not contain a JSON object');
}

/**
 * Validates a complete snapshot.
 * @throws ServiceError `validation_error` with the first problems found
 */
export async function parseSnapshot(value: unknown, host: SystemClock): Promise<Snapshot> {
  const { version: found, name, taken_at, state } = value as Record<string, unknown>;
  if (found !== version) {
    throw invalidField(
      'version',
      `must be ${version}, the version this sandbox writes; found ${JSON.stringify(found)}`,
    );
  }
  return { version, name: String(name), taken_at: String(taken_at), state: await inTurns(parseState(state), host) };
}

function* parseState(value: unknown): Steps<PlainAccountData> {
  try {
    const state = yield* parsePlainData(value);
    const inconsistent = yield* consistencyProblems(state);
    const problems = [...inconsistent.list, ...(yield* storedScriptProblems(state.tables))];
    if (problems.length > 0) throw damaged(problems);
    return state;
  } catch (error) {
    throw error instanceof PlainDataError ? damaged(error.problems) : error;
  }
}

/** The maximum number of problems that are reported for a rejected snapshot. */
const mostDetails = 20;

function damaged(problems: readonly { readonly path: string; readonly message: string }[]): ServiceError {
  const details = problems.slice(0, mostDetails).map(({ path, message }) => ({ field: `state.${path}`, message }));
  return new ServiceError('validation_error', 'The snapshot is damaged or was edited; nothing was changed.', {
    details,
  });
}

/** Returns the state of a snapshot with its indexes, for `restoreSnapshot`. It takes over the rows. */
export async function accountDataOf({ state }: Snapshot, host: SystemClock): Promise<AccountData> {
  return { meta: state.meta, tables: await inTurns(filled(state.tables), host) };
}

/** @throws ServiceError `clock_advancing` */
export function requireStillClock({ scheduler }: Account): void {
  if (!scheduler.advancing) return;
  throw new ServiceError(
    'clock_advancing',
    'The clock is already being advanced. Wait for that call to return, then restore.',
  );
}

/** Replaces data, clock and pending jobs of an account in one step. Attempts in flight are ignored. */
export function restoreSnapshot(account: Account, data: AccountData): void {
  const { store, scheduler, dispatcher, clock } = account;
  requireStillClock(account);
  dispatcher.forget();
  store.update(() => {
    store.replace(data);
    const { mode, scale, baseMs, quietMs } = data.meta.clock;
    store.setClock(clock.set(mode, scale, baseMs, quietMs));
  });
  account.script.reload();
  scheduler.reload();
  scheduler.rearm();
  scheduler.runDue();
}

function* filled(rows: PlainAccountData['tables']): Steps<Tables> {
  const tables = createTables();
  for (const [name, table] of tableEntries(tables)) {
    for (const row of rows[name]) {
      table.insert(row);
      yield;
    }
  }
  return tables;
}
