/** An account as plain data, checked whole before anything is replaced by it: an uploaded snapshot, or an edited checkpoint. */
import type { Row } from '../../domain/row.js';
import type { Meta, PlainAccountData, TableName, Tables } from '../tables/account-data.js';
import type { Table } from '../tables/table.js';
import { customerFields, messageFields, metaCheck, otpFields, templateFields } from './rows/account.js';
import {
  attemptFields,
  counterFields,
  deliveryFields,
  endpointFields,
  eventFields,
  jobFields,
  judgementFields,
  requestFields,
  ruleFields,
  ruleHitFields,
  scenarioFields,
  sinkFields,
  sinkRequestFields,
} from './rows/activity.js';
import { type Check, type Fields, isObject, partOf, type Problem, Problems, record } from './check.js';
import { renameTrigger } from './packed-rows.js';

/** Everything that is wrong with a value that should be an account. */
export class PlainDataError extends Error {
  override readonly name = 'PlainDataError';

  /**
   * @param problems the first hundred
   * @param total how many there are
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

/** A problem as a clause: where, what was expected, what was found. */
export function problemText({ path, message }: Problem): string {
  return `${path} ${message}`;
}

/**
 * The value as an account's data: the same objects, checked, with every table there (one that is missing is empty).
 * @throws PlainDataError with every problem, by path
 */
export function parsePlainData(value: unknown): PlainAccountData {
  const problems = new Problems();
  const data = checkAccount(value, problems);
  if (data === null || problems.count > 0) throw new PlainDataError(problems.list, problems.count);
  return data;
}

/**
 * Of an account that is damaged, the records that make sense, and how many do not; null when its counters and clock are
 * among them.
 */
export function soundData(value: unknown): { readonly data: PlainAccountData; readonly dropped: number } | null {
  if (!isObject(value) || !isObject(value.tables)) return null;
  const meta = new Problems();
  metaCheck(value.meta, () => 'meta', meta);
  if (meta.count > 0) return null;
  let dropped = 0;
  let highest = (value.meta as Meta).seq;
  const tables: Partial<Record<TableName, object[]>> = {};
  for (const [name, { row: check }] of rowChecks) {
    const rows = value.tables[name] ?? [];
    const taken = new Set<unknown>();
    tables[name as TableName] = (Array.isArray(rows) ? rows : [undefined]).filter((row): row is Row => {
      const problems = new Problems();
      check(row, () => name, problems);
      const { id, seq } = (isObject(row) ? row : {}) as Partial<Row>;
      if (problems.count > 0 || seq === undefined || taken.has(id) || taken.has(seq)) {
        dropped += 1;
        return false;
      }
      taken.add(id).add(seq);
      highest = Math.max(highest, seq);
      return true;
    });
  }
  return {
    data: { meta: { ...(value.meta as Meta), seq: highest }, tables: tables as Record<TableName, object[]> },
    dropped,
  };
}

function checkAccount(value: unknown, problems: Problems): PlainAccountData | null {
  if (!isObject(value)) {
    problems.add('the file', value, 'an object with meta and tables');
    return null;
  }
  const { meta, tables } = value;
  metaCheck(meta, () => 'meta', problems);
  if (!isObject(tables)) {
    problems.add('tables', tables, 'an object with a list for each kind of record');
    return null;
  }
  const highest = isObject(meta) && typeof meta.seq === 'number' ? meta.seq : Infinity;
  for (const name of Object.keys(tables)) {
    if (!rowChecks.has(name))
      problems.add(`tables.${name}`, tables[name], `one of ${[...rowChecks.keys()].join(', ')}`);
  }
  const checked = Object.fromEntries(
    Array.from(rowChecks.keys(), (name) => [name, checkTable(name, tables[name] ?? [], highest, problems)]),
  ) as Record<TableName, object[]>;
  return { meta: meta as PlainAccountData['meta'], tables: checked };
}

function checkTable(name: string, rows: unknown, highest: number, problems: Problems): object[] {
  if (!Array.isArray(rows)) {
    problems.add(`tables.${name}`, rows, 'a list of records');
    return [];
  }
  const check = rowChecks.get(name)?.row;
  const ids = new Set<unknown>();
  const seqs = new Set<unknown>();
  rows.forEach((row: unknown, i) => {
    const path = (): string => `tables.${name}[${String(i)}]`;
    check?.(row, path, problems);
    if (!isObject(row)) return;
    const { id, seq } = row;
    if (ids.has(id)) problems.add(`${path()}.id`, id, 'an id that no other record of the table has');
    if (seqs.has(seq)) problems.add(`${path()}.seq`, seq, 'a number that no other record of the table has');
    if (typeof seq === 'number' && seq > highest) {
      problems.add(`${path()}.seq`, seq, `at most meta.seq, which is ${String(highest)}`);
    }
    ids.add(id);
    seqs.add(seq);
  });
  return rows as object[];
}

type RowOf<T> = T extends Table<infer R, infer _> ? R : never;

/** The fields of every table's rows. */
const fields: { readonly [N in TableName]: Fields<RowOf<Tables[N]>> } = {
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
  scenarios: scenarioFields,
  rules: ruleFields,
  counters: counterFields,
  ruleHits: ruleHitFields,
  judgements: judgementFields,
  sinks: sinkFields,
  sinkRequests: sinkRequestFields,
};

interface RowChecks {
  /** A whole row. */
  readonly row: Check<unknown>;
  /** Some of its fields. */
  readonly patch: Check<unknown>;
}

export const rowChecks: ReadonlyMap<string, RowChecks> = new Map(
  Object.entries(fields).map(([name, of]) => [
    name,
    { row: withPresentNames(name, record(of as Fields<Row>)), patch: partOf(of as Fields<Row>) },
  ]),
);

/** A log that was written before a value was renamed goes on being read. */
function withPresentNames(table: string, check: Check<Row>): Check<unknown> {
  if (table !== 'attempts') return check;
  return (row, path, problems) => {
    renameTrigger(row);
    check(row, path, problems);
  };
}
