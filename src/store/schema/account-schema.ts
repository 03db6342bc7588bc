/** Checks of a whole account: an uploaded snapshot, or an edited or damaged checkpoint. */
import {
  type Check,
  count,
  type Fields,
  type FieldsOf,
  isObject,
  oneOf,
  optional,
  partOf,
  type Problem,
  Problems,
  record,
  safeMapOf,
  text,
  valueCheck,
} from '../../domain/check.js';
import { customerFields } from '../../domain/customer.js';
import { attemptFields, deliveryFields } from '../../domain/delivery.js';
import { endpointFields } from '../../domain/endpoint.js';
import { eventFields } from '../../domain/event.js';
import { instant, within } from '../../domain/forms.js';
import { jobData, type Job, jobFields } from '../../domain/job.js';
import { messageFields } from '../../domain/message.js';
import { otpFields } from '../../domain/otp.js';
import { requestFields } from '../../domain/request-record.js';
import type { Row } from '../../domain/row.js';
import * as script from '../../domain/script-state.js';
import { sinkFields, sinkRequestFields } from '../../domain/sink.js';
import { templateFields } from '../../domain/template.js';
import type { ClockState } from '../../time/account-clock.js';
import type { Steps } from '../../time/turns.js';
import type { Meta, PlainAccountData, TableName } from '../tables/account-data.js';

const aboveZero = valueCheck<number>(
  (value) => typeof value === 'number' && value > 0 && value < Infinity,
  'a number above 0',
);

const clockFields: FieldsOf<ClockState> = {
  mode: oneOf(['real', 'frozen', 'scaled', 'auto']),
  scale: within(aboveZero, Number.MIN_VALUE, 1_000_000, 'above 0, at most 1000000'),
  baseMs: instant,
  anchorMs: instant,
  quietMs: optional(within(count, 1, 60_000, 'a whole number from 1 to 60000')),
};

const metaFields: FieldsOf<Meta> = {
  createdAtMs: instant,
  seq: within(count, 0, 2 ** 52, 'a whole number of at least 0'),
  begunSeq: optional(count),
  draws: safeMapOf(count),
  clock: record(clockFields),
  trimmed: optional(safeMapOf(count)),
  streams: optional(text),
  nowMs: optional(instant),
};

export const metaCheck = record(metaFields);
export const metaPatchCheck = partOf(metaFields);

/** All errors in a value that should be an account. */
export class PlainDataError extends Error {
  override readonly name = 'PlainDataError';

  /**
   * @param problems the first hundred
   * @param total the number of all problems
   */
  constructor(
    readonly problems: readonly Problem[],
    readonly total: number,
  ) {
    const lines = problems.slice(0, 5).map(problemText);
    const more = total > lines.length ? `; and ${String(total - lines.length)} more` : '';
    super(`it is not the data of an account: ${lines.join('; ')}${more}`);
  }
}

/** A problem as a clause: its position, the expected value, the actual one. */
export function problemText({ path, message }: Problem): string {
  return `${path} ${message}`;
}

/**
 * Returns the value as the data of an account: the same objects, with an empty list for a missing table.
 * @throws PlainDataError with every problem, by path
 */
export function* parsePlainData(value: unknown): Steps<PlainAccountData> {
  const { data, error } = yield* checkAccount(value);
  if (error) throw error;
  if (!data) throw new PlainDataError([], 0);
  return data;
}

interface CheckedAccount {
  /** The valid records; null if the counters or the clock are invalid. */
  readonly data: PlainAccountData | null;
  /** The number of invalid records. */
  readonly dropped: number;
  readonly error: PlainDataError | null;
}

/** Separates the valid records of an account from the others. */
export function* checkAccount(value: unknown): Steps<CheckedAccount> {
  const problems = new Problems();
  const content = isObject(value) ? value : {};
  const { meta, tables } = content;
  if (isObject(value)) metaCheck(meta, () => 'meta', problems);
  else problems.add('the file', value, 'an object with meta and tables');
  const hasMeta = problems.count === 0;
  if (hasMeta && !isObject(tables)) problems.add('tables', tables, 'an object with a list for each kind of record');
  const lists = isObject(tables) ? tables : {};
  for (const name of Object.keys(lists)) {
    if (!rowChecks.has(name)) problems.add(`tables.${name}`, lists[name], `one of ${[...rowChecks.keys()].join(', ')}`);
  }
  const most = isObject(meta) && typeof meta.seq === 'number' ? meta.seq : Infinity;
  let seq = most;
  let dropped = 0;
  const checked: Record<string, Row[]> = {};
  for (const name of rowChecks.keys()) {
    const { valid, highest, count } = yield* checkTable(name, lists[name] ?? [], most, problems);
    dropped += count - valid.length;
    seq = Math.max(seq, highest);
    checked[name] = valid;
  }
  return {
    data:
      hasMeta && isObject(tables)
        ? { meta: { ...(meta as Meta), seq }, tables: checked as unknown as PlainAccountData['tables'] }
        : null,
    dropped,
    error: problems.count > 0 ? new PlainDataError(problems.list, problems.count) : null,
  };
}

function* checkTable(name: string, rows: unknown, most: number, problems: Problems) {
  const valid: Row[] = [];
  if (!Array.isArray(rows)) {
    problems.add(`tables.${name}`, rows, 'a list of records');
    return { valid, highest: 0, count: 1 };
  }
  const check = rowChecks.get(name)?.row;
  const seen = new Set<unknown>();
  const taken = new Set<unknown>();
  let highest = 0;
  for (const [i, row] of (rows as unknown[]).entries()) {
    yield;
    const before = problems.count;
    const path = (): string => `tables.${name}[${String(i)}]`;
    check?.(row, path, problems);
    const isSound = problems.count === before;
    if (!isObject(row)) continue;
    const { id, seq } = row as Partial<Row>;
    if (seen.has(id)) problems.add(`${path()}.id`, id, 'an id that no other record of the table has');
    if (seen.has(seq)) problems.add(`${path()}.seq`, seq, 'a number that no other record of the table has');
    if (typeof seq === 'number' && seq > most) {
      problems.add(`${path()}.seq`, seq, `at most meta.seq, which is ${String(most)}`);
    }
    seen.add(id).add(seq);
    if (!isSound || taken.has(id) || taken.has(seq)) continue;
    taken.add(id).add(seq);
    highest = Math.max(highest, seq ?? 0);
    valid.push(row as unknown as Row);
  }
  return { valid, highest, count: rows.length };
}

/** The fields of every table's rows. */
const fields: Readonly<Record<TableName, Fields>> = {
  messages: messageFields,
  templates: templateFields,
  otps: otpFields,
  customers: customerFields,
  endpoints: endpointFields,
  events: eventFields,
  deliveries: deliveryFields,
  attempts: attemptFields,
  jobs: jobFields,
  requests: requestFields,
  scenarios: script.scenarioFields,
  rules: script.ruleFields,
  counters: script.counterFields,
  ruleHits: script.ruleHitFields,
  judgements: script.judgementFields,
  sinks: sinkFields,
  sinkRequests: sinkRequestFields,
};

interface RowChecks {
  /** Checks a complete row. */
  readonly row: Check<unknown>;
  /** Checks some of its fields. */
  readonly patch: Check<unknown>;
}

export const rowChecks: ReadonlyMap<string, RowChecks> = new Map(
  Object.entries(fields).map(([name, of]) => [name, { row: rowCheck(name, record(of)), patch: partOf(of) }]),
);

/** Renames values of old snapshots and logs before the check; in strict mode, checks the data of jobs, too. */
function rowCheck(table: string, check: Check<unknown>): Check<unknown> {
  return (row, path, problems) => {
    if (table === 'attempts') renameTrigger(row);
    check(row, path, problems);
    if (table !== 'jobs' || !problems.isStrict) return;
    const { kind, data } = row as Job;
    jobData[kind](data, () => `${path()}.data`, problems);
  };
}

/** Gives an attempt of an older version its current trigger, in place. */
export function renameTrigger(attempt: unknown): void {
  if (isObject(attempt) && attempt.trigger === 'timetable') attempt.trigger = 'schedule';
}
