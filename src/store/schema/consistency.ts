/**
 * Checks the forms of values in a snapshot, and whether its parts agree: row checks see only types, and a person may have
 * edited the file.
 */
import type { Attempt, Delivery } from '../../domain/delivery.js';
import type { Event } from '../../domain/event.js';
import type { Job, JobKind } from '../../domain/job.js';
import type { Otp } from '../../domain/otp.js';
import type { Row } from '../../domain/row.js';
import type { Steps } from '../../time/turns.js';
import { Problems } from '../../domain/check.js';
import type { PlainAccountData, TableName } from '../tables/account-data.js';
import { metaCheck, rowChecks } from './account-schema.js';

type PlainTables = PlainAccountData['tables'];

/** The table of a job's subject, for jobs that cannot outlive it. */
const subjectTables: Partial<Record<JobKind, TableName>> = {
  'message.status': 'messages',
  'template.review': 'templates',
  'template.move': 'templates',
  'delivery.attempt': 'deliveries',
  'endpoint.pause': 'endpoints',
};

/** @param data an account whose rows have the right types */
export function* consistencyProblems({ meta, tables }: PlainAccountData): Steps<Problems> {
  const problems = new Problems(true);
  metaCheck(meta, () => 'meta', problems);
  for (const [name, { row: check }] of rowChecks) {
    for (const [i, row] of tables[name as TableName].entries()) {
      check(row, () => `tables.${name}[${i}]`, problems);
      yield;
    }
  }
  yield* checkReferences(tables, problems);
  return problems;
}

/** Checks that the tables contain every record that another one names. */
function* checkReferences(tables: PlainTables, problems: Problems): Steps<void> {
  const known = new Map<TableName, ReadonlySet<string>>();
  const idsOf = (name: TableName): ReadonlySet<string> => {
    const ids = known.get(name) ?? new Set((tables[name] as Row[]).map(({ id }) => id));
    known.set(name, ids);
    return ids;
  };
  const require = (path: string, id: string, name: TableName): void => {
    if (!idsOf(name).has(id)) problems.add(path, id, `the id of a record in tables.${name}`);
  };

  for (const [i, { templateId, messageId, attemptsLeft, maxAttempts }] of (tables.otps as Otp[]).entries()) {
    yield;
    require(`tables.otps[${i}].templateId`, templateId, 'templates');
    require(`tables.otps[${i}].messageId`, messageId, 'messages');
    if (attemptsLeft > maxAttempts) {
      problems.add(`tables.otps[${i}].attemptsLeft`, attemptsLeft, `at most maxAttempts, which is ${maxAttempts}`);
    }
  }
  for (const [i, { id, type, body }] of (tables.events as Event[]).entries()) {
    yield;
    checkEnvelope({ id, type }, body, `tables.events[${i}].body`, problems);
  }
  for (const [i, { eventId, endpointId, state }] of (tables.deliveries as Delivery[]).entries()) {
    yield;
    require(`tables.deliveries[${i}].eventId`, eventId, 'events');
    // Finished deliveries stay when their endpoint is deleted.
    if (unfinished.has(state)) require(`tables.deliveries[${i}].endpointId`, endpointId, 'endpoints');
  }
  for (const [i, { deliveryId }] of (tables.attempts as Attempt[]).entries()) {
    yield;
    require(`tables.attempts[${i}].deliveryId`, deliveryId, 'deliveries');
  }
  for (const [i, { kind, subject }] of (tables.jobs as Job[]).entries()) {
    yield;
    const table = subjectTables[kind];
    if (table) require(`tables.jobs[${i}].subject`, subject, table);
  }
  for (const [i, { id, rule }] of (tables.rules as (Row & { readonly rule: object })[]).entries()) {
    yield;
    const own = (rule as { readonly id?: unknown }).id;
    if (own !== id) problems.add(`tables.rules[${i}].rule.id`, own, `the id of its record, which is ${id}`);
  }
  yield* checkScript(tables, problems);
}

/** Records of a scenario, or of a rule that was added at run time, cannot outlive it. */
function* checkScript({ scenarios, rules, jobs, judgements, ruleHits }: PlainTables, problems: Problems): Steps<void> {
  const hasScenario = scenarios.length > 0;
  const requireScenario = (path: string, found: unknown): void => {
    if (!hasScenario) problems.add(path, found, 'absent: tables.scenarios holds no active scenario');
  };
  const added = new Set((rules as Row[]).map(({ id }) => id));
  for (const [i, { id }] of (ruleHits as Row[]).entries()) {
    yield;
    if (!added.has(id)) requireScenario(`tables.ruleHits[${i}].id`, id);
  }
  const judged = new Set((judgements as Row[]).map(({ id }) => id));
  for (const [i, { id }] of (judgements as Row[]).entries()) {
    yield;
    requireScenario(`tables.judgements[${i}].id`, id);
  }
  for (const [i, { kind, data }] of (jobs as Job[]).entries()) {
    yield;
    if (kind !== 'scenario.step' && kind !== 'scenario.judge') continue;
    requireScenario(`tables.jobs[${i}].kind`, kind);
    if (kind === 'scenario.step') continue;
    const index = (data as { readonly index?: unknown } | undefined)?.index;
    const id = `expect[${String(index)}]`;
    if (judged.has(id))
      problems.add(`tables.jobs[${i}].data.index`, index, 'an expectation that is not evaluated yet, only once');
    judged.add(id);
  }
}

const unfinished: ReadonlySet<Delivery['state']> = new Set(['pending', 'retrying', 'held']);

/** The body, which a receiver reads, must name the same event as the record. */
function checkEnvelope(record: Pick<Event, 'id' | 'type'>, body: string, path: string, problems: Problems): void {
  let sent: Partial<Event> | null;
  try {
    sent = JSON.parse(body) as Partial<Event> | null;
  } catch {
    // Its field rule has reported it.
    return;
  }
  for (const name of ['id', 'type'] as const) {
    if (sent?.[name] !== record[name]) problems.add(`${path}.${name}`, sent?.[name], record[name]);
  }
}
