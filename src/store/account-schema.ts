/** Checks of a whole account: an uploaded snapshot, or an edited or damaged checkpoint. */
import {
  type Check,
  count,
  type Fields,
  type FieldsOf,
  isObject,
  oneOf,
  optional,
  type Problem,
  Problems,
  record,
  safeMapOf,
  text,
  valueCheck,
} from '../domain/check.js';
import { customerFields } from '../domain/customer.js';
import { attemptFields, deliveryFields } from '../domain/delivery.js';
import { endpointFields } from '../domain/endpoint.js';
import { eventFields } from '../domain/event.js';
import { instant, within } from '../domain/forms.js';
import { jobData, type Job, jobFields } from '../domain/job.js';
import { messageFields } from '../domain/message.js';
import { otpFields } from '../domain/otp.js';
import { requestFields } from '../domain/request-record.js';
import type { Row } from '../domain/row.js';
import * as script from '../domain/script-state.js';
import { sinkFields, sinkRequestFields } from '../domain/sink.js';
import { templateFields } from '../domain/template.js';
import type { ClockState } from '../time/account-clock.js';
import type { Meta, PlainAccountData, TableName } from './account-data.js';

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
export function parsePlainData(value: unknown): PlainAccountData {
  const problems = new Problems(true);
  const { meta, tables } = isObject(value) ? value : {};
  if (isObject(value)) record(metaFields)(meta, () => 'meta', problems);
  else problems.add('the file', value, 'an object with meta and tables');
  if (isObject(value) && !isObject(tables)) {
    problems.add('tables', tables, 'an object with a list for each kind of record');
  }
  const lists = isObject(tables) ? tables : {};
  for (const name of Object.keys(lists)) {
    if (!rowChecks.has(name)) problems.add(`tables.${name}`, lists[name], `one of ${[...rowChecks.keys()].join(', ')}`);
  }
  const most = isObject(meta) && typeof meta.seq === 'number' ? meta.seq : Infinity;
  for (const name of rowChecks.keys()) checkTable(name, lists[name] ?? [], most, problems);
  if (problems.count > 0) throw new PlainDataError(problems.list, problems.count);
  const rows = Object.fromEntries([...rowChecks.keys()].map((name) => [name, lists[name] ?? []]));
  return { meta: meta as Meta, tables: rows as unknown as PlainAccountData['tables'] };
}

function checkTable(name: string, rows: unknown, most: number, problems: Problems): void {
  if (!Array.isArray(rows)) {
    problems.add(`tables.${name}`, rows, 'a list of records');
    return;
  }
  const seen = new Set<unknown>();
  for (const [i, row] of (rows as unknown[]).entries()) {
    const path = (): string => `tables.${name}[${String(i)}]`;
    rowChecks.get(name)?.(row, path, problems);
    if (!isObject(row)) continue;
    const { id, seq } = row as Partial<Row>;
    if (seen.has(id)) problems.add(`${path()}.id`, id, 'an id that no other record of the table has');
    if (seen.has(seq)) problems.add(`${path()}.seq`, seq, 'a number that no other record of the table has');
    if (typeof seq === 'number' && seq > most) {
      problems.add(`${path()}.seq`, seq, `at most meta.seq, which is ${String(most)}`);
    }
    seen.add(id).add(seq);
  }
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

const rowChecks: ReadonlyMap<string, Check<unknown>> = new Map(
  Object.entries(fields).map(([name, of]) => [name, rowCheck(name, record(of))]),
);

/** A job is checked with its data, because one that cannot run would fail long after the snapshot was accepted. */
function rowCheck(table: string, check: Check<unknown>): Check<unknown> {
  if (table !== 'jobs') return check;
  return (row, path, problems) => {
    const before = problems.count;
    check(row, path, problems);
    if (problems.count > before) return;
    const { kind, data } = row as Job;
    jobData[kind](data, () => `${path()}.data`, problems);
  };
}
