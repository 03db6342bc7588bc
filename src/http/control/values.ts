/** Reads values that the patterns of the document cannot fully check: durations, instants, ids. */
import type { Account } from '../../account/account.js';
import { invalidField, ServiceError } from '../../domain/errors.js';
import { parseInstant } from '../../domain/instant.js';
import { mustBe } from '../../domain/must-be.js';
import type { TableName, Tables } from '../../store/account-data.js';
import { DurationError, formatDuration, parseDuration } from '../../time/duration.js';
import type { ControlHandler } from './handler.js';

/** Returns milliseconds. */
export function duration(field: string, text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    const message = mustBe('a duration such as 250ms, 10s, 5m, 24h, 7d or 1h30m', text);
    throw invalidField(field, `${message}: ${error.reason}`);
  }
}

/** The longest time that a call is kept open, other than a play. */
const longestRealMs = 60_000;

/** Returns machine milliseconds. */
export function realDuration(field: string, text: string, longestMs = longestRealMs): number {
  const ms = duration(field, text);
  if (ms <= longestMs) return ms;
  throw invalidField(field, mustBe(`at most ${formatDuration(longestMs)} of real time`, text));
}

/** Returns milliseconds since 1970. */
export function instant(field: string, text: string): number {
  const ms = parseInstant(text);
  if (ms !== null) return ms;
  const allowed = 'a date and time in UTC, from the year 0 to 9999, such as 2026-03-01T09:00:00Z';
  throw invalidField(field, mustBe(allowed, text));
}

const nouns = {
  messages: 'sent message',
  templates: 'template',
  otps: 'one-time code',
  customers: 'customer',
  endpoints: 'webhook',
  events: 'event',
  deliveries: 'delivery',
  requests: 'request',
} as const satisfies Partial<Record<TableName, string>>;

type RowOf<T extends TableName> = NonNullable<ReturnType<Tables[T]['get']>>;

export function found<T extends keyof typeof nouns>(
  { store }: Account,
  table: T,
  id: string,
  isShown: (record: RowOf<T>) => boolean = () => true,
): RowOf<T> {
  // A UUID is the same in any case; other ids are as they were given.
  const rows = store.tables[table];
  const record = (rows.get(id) ?? rows.get(id.toLowerCase())) as RowOf<T> | undefined;
  if (record && isShown(record)) return record;
  throw new ServiceError('not_found', `This account has no ${nouns[table]} ${id}.`);
}

export const rowOf =
  <T extends keyof typeof nouns>(table: T, show: (row: RowOf<T>, account: Account) => object): ControlHandler =>
  ({ account, name }) =>
    show(found(account, table, name), account);
