/**
 * Checks the forms of values in a snapshot, and whether its parts agree: row checks see only types, and a person may have
 * edited the file.
 */
import type { Delivery } from '../../domain/delivery.js';
import type { Event } from '../../domain/event.js';
import type { JobKind } from '../../domain/job.js';
import type { Row } from '../../domain/row.js';
import type { Steps } from '../../time/turns.js';
import { Problems } from '../../domain/check.js';
import type { PlainAccountData, RowOf, TableName } from '../tables/account-data.js';
import { metaCheck, rowChecks } from './account-schema.js';

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
  for (const [name, check] of rules(tables)) {
    for (const [i, row] of tables[name].entries()) {
      yield;
      for (const finding of check(row as never)) {
        if (!finding) continue;
        const [field, found, expected] = finding;
        problems.add(`tables.${name}[${i}].${field}`, found, expected);
      }
    }
  }
  return problems;
}

type Finding = readonly [field: string, found: unknown, expected: string] | false | undefined;

function rule<Name extends TableName>(name: Name, check: (row: RowOf<Name>) => readonly Finding[]) {
  return [name, check] as const;
}

/** Returns what must hold for the rows of a table, in addition to their forms. */
function rules(tables: PlainAccountData['tables']) {
  const known = new Map<TableName, ReadonlySet<string>>();
  const idsOf = (name: TableName): ReadonlySet<string> => {
    const ids = known.get(name) ?? new Set((tables[name] as Row[]).map(({ id }) => id));
    known.set(name, ids);
    return ids;
  };
  /** The tables must contain every record that another one names. */
  const names = (field: string, id: string, name: TableName): Finding =>
    !idsOf(name).has(id) && [field, id, `the id of a record in tables.${name}`];
  /** Records of a scenario, or of a rule that was added at run time, cannot outlive it. */
  const needsScenario = (field: string, found: unknown): Finding =>
    tables.scenarios.length === 0 && [field, found, 'absent: tables.scenarios holds no active scenario'];
  const judged = new Set(idsOf('judgements'));
  return [
    rule('otps', ({ templateId, messageId, attemptsLeft, maxAttempts }) => [
      names('templateId', templateId, 'templates'),
      names('messageId', messageId, 'messages'),
      attemptsLeft > maxAttempts && ['attemptsLeft', attemptsLeft, `at most maxAttempts, which is ${maxAttempts}`],
    ]),
    rule('events', envelopeFindings),
    rule('deliveries', ({ eventId, endpointId, state }) => [
      names('eventId', eventId, 'events'),
      // Finished deliveries stay when their endpoint is deleted.
      unfinished.has(state) && names('endpointId', endpointId, 'endpoints'),
    ]),
    rule('attempts', ({ deliveryId }) => [names('deliveryId', deliveryId, 'deliveries')]),
    rule('jobs', ({ kind, subject }) => {
      const table = subjectTables[kind];
      return [table && names('subject', subject, table)];
    }),
    rule('rules', ({ id, rule: added }) => {
      const own = (added as { readonly id?: unknown }).id;
      return [own !== id && ['rule.id', own, `the id of its record, which is ${id}`]];
    }),
    rule('ruleHits', ({ id }) => [!idsOf('rules').has(id) && needsScenario('id', id)]),
    rule('judgements', ({ id }) => [needsScenario('id', id)]),
    rule('jobs', ({ kind, data }) => {
      if (kind === 'scenario.step') return [needsScenario('kind', kind)];
      if (kind !== 'scenario.judge') return [];
      const index = (data as { readonly index?: unknown } | undefined)?.index;
      const id = `expect[${String(index)}]`;
      const isRepeated = judged.has(id);
      judged.add(id);
      return [
        needsScenario('kind', kind),
        isRepeated && ['data.index', index, 'an expectation that is not evaluated yet, only once'],
      ];
    }),
  ];
}

/** The table of a job's subject, for jobs that cannot outlive it. */
const subjectTables: Partial<Record<JobKind, TableName>> = {
  'message.status': 'messages',
  'template.review': 'templates',
  'template.move': 'templates',
  'delivery.attempt': 'deliveries',
  'endpoint.pause': 'endpoints',
};

const unfinished: ReadonlySet<Delivery['state']> = new Set(['pending', 'retrying', 'held']);

/** The body, which a receiver reads, must name the same event as the record. */
function envelopeFindings(record: Event): Finding[] {
  let sent: Partial<Event> | null;
  try {
    sent = JSON.parse(record.body) as Partial<Event> | null;
  } catch {
    // Its field rule has reported it.
    return [];
  }
  return (['id', 'type'] as const).map(
    (name) => sent?.[name] !== record[name] && [`body.${name}`, sent?.[name], record[name]],
  );
}
