/** Converts an account to one JSON text, including clock and pending jobs, and back. */
import { invalidField, ServiceError } from '../domain/errors.js';
import { isoTime } from '../domain/instant.js';
import { maxSnapshotBytes } from '../domain/limits.js';
import { storedScriptProblems } from '../scenario/runtime/stored-script.js';
import type { PlainAccountData } from '../store/tables/account-data.js';
import type { Capture } from '../store/tables/capture.js';
import { isObject } from '../store/schema/check.js';
import { parsePlainData, PlainDataError } from '../store/schema/account-schema.js';
import { consistencyProblems } from '../store/snapshots/consistency.js';
import type { ClockState } from '../time/account-clock.js';
import type { SystemClock } from '../time/system-clock.js';
import { turnOfOthers } from '../time/turns.js';
import type { Account } from '../account/account.js';

const version = 1;

export interface Snapshot {
  readonly version: number;
  readonly name: string;
  readonly taken_at: string;
  readonly state: PlainAccountData;
}

/**
 * Returns the account at this instant as slices of JSON. They are made one at a time while the account continues to
 * work, so that no call waits for more than one slice, however large the account is.
 */
export class SnapshotTaking {
  readonly #capture: Capture;
  readonly #head: Omit<Snapshot, 'state'>;
  readonly #clock: ClockState;

  constructor(account: Account, name: string, takenAtMs: number) {
    this.#capture = account.store.capture();
    this.#head = { version, name, taken_at: isoTime(takenAtMs) };
    // A running clock is stored with its present time, so that a restored account continues from the instant of the
    // snapshot.
    this.#clock = { ...account.clock.state, baseMs: takenAtMs };
  }

  /** @throws ServiceError `limit_reached` if the account is too large to be restored */
  async *slices(host: SystemClock, most = maxSnapshotBytes): AsyncGenerator<Buffer> {
    yield Buffer.from(`${JSON.stringify(this.#head).slice(0, -1)},"state":{`);
    let size = 0;
    for (const text of this.#capture.slices({ clock: this.#clock })) {
      const slice = Buffer.from(text);
      size += slice.byteLength;
      if (size > most) throw tooLarge(most);
      yield slice;
      await turnOfOthers(host);
    }
    yield Buffer.from('}}');
  }

  /** Always call this, or the account keeps the old rows indefinitely. */
  release(): void {
    this.#capture.release();
  }
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
  if (!isObject(value)) throw damage('its file does not contain a JSON object');
  return value;
}

/**
 * Validates a complete snapshot.
 * @throws ServiceError `validation_error` with the first problems found
 */
export function parseSnapshot(value: unknown): Snapshot {
  const { version: found, name, taken_at, state } = value as Record<string, unknown>;
  if (found !== version) {
    throw invalidField(
      'version',
      `must be ${version}, the version this sandbox writes; found ${JSON.stringify(found)}`,
    );
  }
  return { version, name: String(name), taken_at: String(taken_at), state: parseState(state) };
}

function parseState(value: unknown): PlainAccountData {
  try {
    const state = parsePlainData(value);
    const problems = [...consistencyProblems(state).list, ...storedScriptProblems(state.tables)];
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

/** Replaces the account by the snapshot: data, clock, pending jobs. Attempts in flight are ignored. */
export function restoreSnapshot(account: Account, snapshot: Snapshot): void {
  const { store, scheduler, dispatcher, clock } = account;
  if (scheduler.advancing) {
    throw new ServiceError(
      'clock_advancing',
      'The clock is already being advanced. Wait for that call to return, then restore.',
    );
  }
  dispatcher.forget();
  store.update(() => {
    store.replace(snapshot.state);
    const { mode, scale, baseMs, quietMs } = snapshot.state.meta.clock;
    store.setClock(clock.set(mode, scale, baseMs, quietMs));
  });
  account.script.reload();
  scheduler.reload();
  scheduler.rearm();
  scheduler.runDue();
}
