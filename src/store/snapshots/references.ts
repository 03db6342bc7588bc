/** Checks that a snapshot contains every record that another one names. */
import type { Attempt, Delivery } from '../../domain/delivery.js';
import type { Event } from '../../domain/event.js';
import type { Job, JobKind } from '../../domain/job.js';
import type { Otp } from '../../domain/otp.js';
import type { Row } from '../../domain/row.js';
import type { Problems } from '../schema/check.js';
import type { PlainAccountData, TableName } from '../tables/account-data.js';

type PlainTables = PlainAccountData['tables'];

/** The table of a job's subject, for jobs that cannot outlive it. */
const subjectTables: Partial<Record<JobKind, TableName>> = {
  'message.status': 'messages',
  'template.review': 'templates',
  'template.move': 'templates',
  'delivery.attempt': 'deliveries',
  'endpoint.pause': 'endpoints',
};

export function checkReferences(tables: PlainTables, problems: Problems): void {
  const known = new Map<TableName, ReadonlySet<string>>();
  const idsOf = (name: TableName): ReadonlySet<string> => {
    const ids = known.get(name) ?? new Set((tables[name] as Row[]).map(({ id }) => id));
    known.set(name, ids);
    return ids;
  };
  const require = (path: string, id: string, name: TableName): void => {
    if (!idsOf(name).has(id)) problems.add(path, id, `the id of a record in tables.${name}`);
  };

  (tables.otps as Otp[]).forEach(({ templateId, messageId, attemptsLeft, maxAttempts }, i) => {
    require(`tables.otps[${i}].templateId`, templateId, 'templates');
    require(`tables.otps[${i}].messageId`, messageId, 'messages');
    if (attemptsLeft > maxAttempts) {
      problems.add(`tables.otps[${i}].attemptsLeft`, attemptsLeft, `at most maxAttempts, which is ${maxAttempts}`);
    }
  });
  (tables.events as Event[]).forEach(({ id, type, body }, i) => {
    checkEnvelope({ id, type }, body, `tables.events[${i}].body`, problems);
  });
  (tables.deliveries as Delivery[]).forEach(({ eventId, endpointId, state }, i) => {
    require(`tables.deliveries[${i}].eventId`, eventId, 'events');
    // Finished deliveries stay when their endpoint is deleted.
    if (unfinished.has(state)) require(`tables.deliveries[${i}].endpointId`, endpointId, 'endpoints');
  });
  (tables.attempts as Attempt[]).forEach(({ deliveryId }, i) => {
    require(`tables.attempts[${i}].deliveryId`, deliveryId, 'deliveries');
  });
  (tables.jobs as Job[]).forEach(({ kind, subject }, i) => {
    const table = subjectTables[kind];
    if (table) require(`tables.jobs[${i}].subject`, subject, table);
  });
  (tables.rules as (Row & { readonly rule: object })[]).forEach(({ id, rule }, i) => {
    const own = (rule as { readonly id?: unknown }).id;
    if (own !== id) problems.add(`tables.rules[${i}].rule.id`, own, `the id of its record, which is ${id}`);
  });
  checkScript(tables, problems);
}

/** Records of a scenario, or of a rule that was added at run time, cannot outlive it. */
function checkScript({ scenarios, rules, jobs, judgements, ruleHits }: PlainTables, problems: Problems): void {
  const hasScenario = scenarios.length > 0;
  const requireScenario = (path: string, found: unknown): void => {
    if (!hasScenario) problems.add(path, found, 'absent: tables.scenarios holds no active scenario');
  };
  const added = new Set((rules as Row[]).map(({ id }) => id));
  (ruleHits as Row[]).forEach(({ id }, i) => {
    if (!added.has(id)) requireScenario(`tables.ruleHits[${i}].id`, id);
  });
  const judged = new Set((judgements as Row[]).map(({ id }) => id));
  (judgements as Row[]).forEach(({ id }, i) => {
    requireScenario(`tables.judgements[${i}].id`, id);
  });
  (jobs as Job[]).forEach(({ kind, data }, i) => {
    if (kind !== 'scenario.step' && kind !== 'scenario.judge') return;
    requireScenario(`tables.jobs[${i}].kind`, kind);
    if (kind === 'scenario.step') return;
    const index = (data as { readonly index?: unknown } | undefined)?.index;
    const id = `expect[${String(index)}]`;
    if (judged.has(id))
      problems.add(`tables.jobs[${i}].data.index`, index, 'an expectation that is not evaluated yet, only once');
    judged.add(id);
  });
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
