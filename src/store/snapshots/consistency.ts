/** Checks whether the parts of a snapshot agree: row checks see only types, and a person may have edited the file. */
import type { Steps } from '../../time/turns.js';
import { isObject, Problems } from '../schema/check.js';
import type { PlainAccountData, TableName } from '../tables/account-data.js';
import { type FieldRule, metaRules, rowRules } from './field-rules.js';
import { checkJob } from './job-data.js';
import { checkReferences } from './references.js';

/** @param data an account whose rows have the right types */
export function* consistencyProblems(data: PlainAccountData): Steps<Problems> {
  const problems = new Problems();
  checkFields(data.meta, 'meta', metaRules, problems);
  for (const [name, rules] of Object.entries(rowRules)) {
    for (const [i, row] of data.tables[name as TableName].entries()) {
      checkFields(row, `tables.${name}[${i}]`, rules, problems);
      yield;
    }
  }
  for (const [i, job] of data.tables.jobs.entries()) {
    checkJob(job, `tables.jobs[${i}]`, problems);
    yield;
  }
  yield* checkReferences(data.tables, problems);
  return problems;
}

type Rules = Readonly<Record<string, FieldRule>>;

function checkFields(row: object, path: string, rules: Rules, problems: Problems): void {
  for (const [field, rule] of Object.entries(rules)) visit(row, path, field.split('.'), rule, problems);
}

/** Follows the names of a field: `history[]` leads to each item of the list. Absent values and null were checked before. */
function visit(value: unknown, path: string, names: readonly string[], rule: FieldRule, problems: Problems): void {
  if (value === undefined || value === null) return;
  const [name, ...rest] = names;
  if (name === undefined) {
    if (!rule.fits(value)) problems.add(path, value, rule.expected);
    return;
  }
  if (!isObject(value)) return;
  if (!name.endsWith('[]')) {
    visit(value[name], `${path}.${name}`, rest, rule, problems);
    return;
  }
  const field = name.slice(0, -2);
  const items = value[field];
  if (!Array.isArray(items)) return;
  items.forEach((item, i) => {
    visit(item, `${path}.${field}[${i}]`, rest, rule, problems);
  });
}
