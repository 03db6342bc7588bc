import type { Account } from '../account/account.js';
import { invalidField, ServiceError } from '../domain/errors.js';
import type { Row } from '../domain/rows.js';
import type { LoadedScenario } from '../language/scenario.js';

/** Work on a large account, in parts: other calls are served at each `yield`. */
export type Steps<T> = Generator<void, T>;

export interface Recording {
  readonly account: Account;
  /** Null if the recording has another start. */
  readonly scenario: LoadedScenario | null;
  readonly fromSeq: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly within: (row: Row) => boolean;
  /** Records that were removed because of a limit. */
  readonly missing: number;
}

/**
 * Both numbers are included. By default, a recording starts with the activation of the scenario or with the account,
 * and ends now.
 * @throws ServiceError `validation_error` if it would end before it starts
 */
export function recordingOf(account: Account, from?: number, to?: number): Recording {
  const { store, clock, script } = account;
  const { meta } = store;
  const fromSeq = from ?? script.active?.seq ?? (meta.begunSeq ?? 0) + 1;
  const toSeq = to ?? meta.seq;
  if (from !== undefined && toSeq < from) {
    throw invalidField('from', `must be at most ${toSeq}, where the recording ends`);
  }
  const within = ({ seq }: Row) => seq >= fromSeq && seq <= toSeq;
  const scenario = script.active && within(script.active) ? script.scenario : null;
  const { requests, messages, events, attempts } = store.tables;
  const times = [requests, messages, events, attempts].flatMap((table) => {
    const rows: (Row & ({ readonly atMs: number } | { readonly createdAtMs: number }))[] = [...table.all()];
    return rows.filter(within).map((row) => ('atMs' in row ? row.atMs : row.createdAtMs));
  });
  const nowMs = clock.now();
  const firstMs = times.reduce((first, atMs) => Math.min(first, atMs), nowMs);
  const startMs = scenario ? (script.activatedAtMs ?? nowMs) : firstMs;
  const endMs = to === undefined ? nowMs : times.reduce((last, atMs) => Math.max(last, atMs), startMs);
  const missing = ['requests', 'events', 'deliveries', 'attempts'].reduce((sum, name) => sum + store.trimmed(name), 0);
  return { account, scenario, fromSeq, startMs, endMs, within, missing };
}

export function doesNotFit(why: string): ServiceError {
  return new ServiceError(
    'limit_reached',
    `The recording does not fit into a scenario: ${why}. Record a part: ?from=SEQ&to=SEQ.`,
  );
}
