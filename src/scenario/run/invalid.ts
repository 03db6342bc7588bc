/**
 * Scenarios and rules that are invalid: as an HTTP 400 error, and in a snapshot. The shapes of scenario files parse those of
 * a snapshot again, because their values are used in headers, expressions and timers.
 */
import { ServiceError, type ErrorDetail } from '../../domain/errors.js';
import type { Steps } from '../../time/turns.js';
import type { Problem } from '../schema/problems.js';
import { scenarioSchema } from '../schema/scenario.js';
import { loadPart } from '../reader/load.js';

/** @param warnings of the same scenario */
export function scenarioInvalid(problems: readonly Problem[], warnings: readonly Problem[] = []): ServiceError {
  const [first] = problems;
  const where = first ? ` The first: ${first.file}:${first.line}:${first.column} ${first.message}` : '';
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  return new ServiceError('scenario_invalid', `The scenario has ${count}; nothing was changed.${where}`, {
    details: problems.map(problemDetail),
    ...(warnings.length > 0 && { extra: { warnings: warnings.map(problemDetail) } }),
  });
}

export function problemDetail(problem: Problem): ErrorDetail {
  return { field: problem.path, ...problem };
}

export interface StoredProblem {
  /** A path such as `tables.rules[0].rule.then`. */
  readonly path: string;
  /** Predicate of the sentence that begins with the path. */
  readonly message: string;
}

type Plain = Readonly<Record<string, unknown>>;

interface ScriptTables {
  readonly scenarios: readonly object[];
  readonly rules: readonly object[];
  readonly jobs?: readonly object[];
}

/** The first ones only: a large invalid file must not fill the memory. */
const mostProblems = 100;

export function* storedScriptProblems(tables: ScriptTables): Steps<StoredProblem[]> {
  const problems: StoredProblem[] = [];
  for (const found of partsOf(tables)) {
    problems.push(...found);
    if (problems.length >= mostProblems) break;
    yield;
  }
  return problems;
}

function* partsOf({ scenarios, rules, jobs = [] }: ScriptTables): Generator<StoredProblem[]> {
  for (const [i, row] of scenarios.entries()) {
    yield* scenarioProblems(at(row, 'scenario'), `tables.scenarios[${i}].scenario`);
  }
  for (const [i, row] of rules.entries()) yield ruleProblems(at(row, 'rule'), `tables.rules[${i}].rule`);
  for (const [i, job] of jobs.entries()) {
    yield at(job, 'kind') === 'scenario.step' ? stepProblems(at(job, 'data'), `tables.jobs[${i}].data`) : [];
  }
}

/** Checks entry by entry: together they may be longer than one file, because they come from up to twenty. */
function* scenarioProblems(scenario: unknown, path: string): Generator<StoredProblem[]> {
  const { rules, timeline, expect, given, files, ...head } = asObject(scenario);
  if (![rules, timeline, expect, files].every(Array.isArray)) {
    yield [{ path, message: 'must be a scenario as in a snapshot, with rules, timeline, expect and files' }];
    return;
  }
  yield problemsOf({ ...head, version: 1 }, path);
  for (const [i, rule] of (rules as unknown[]).entries()) yield ruleProblems(rule, `${path}.rules[${i}]`);
  for (const [list, entries] of Object.entries({ timeline, expect })) {
    for (const [i, entry] of (entries as unknown[]).entries()) {
      yield entryProblems(list as 'timeline' | 'expect', entry, `${path}.${list}[${i}]`);
    }
  }
  for (const [kind, entries] of Object.entries(asObject(given))) {
    for (const [i, entry] of (Array.isArray(entries) ? (entries as unknown[]) : [entries]).entries()) {
      yield problemsOf({ version: 1, given: { [kind]: [entry] } }, `${path}.given.${kind}[${i}]`);
    }
  }
}

/** Checks a rule. A generated id contains the name of a file, so any one-line text is allowed. */
function ruleProblems(value: unknown, path: string): StoredProblem[] {
  const { id, source, ...rule } = asObject(value);
  if (typeof id !== 'string' || id === '' || /\p{Cc}/u.test(id)) {
    return [{ path: `${path}.id`, message: 'must be a text of one line' }];
  }
  const { file, line } = asObject(source);
  if (typeof file !== 'string' || typeof line !== 'number') {
    return [{ path: `${path}.source`, message: 'must have file and line' }];
  }
  return entryProblems('rules', rule, path);
}

/** Checks a step of a job: an action with its kind and the field of that name. */
function stepProblems(action: unknown, path: string): StoredProblem[] {
  const { kind, ...step } = asObject(action);
  if (typeof kind !== 'string' || !Object.hasOwn(step, kind)) {
    return [{ path, message: 'must be a step of a timeline, with its kind and the field of that name' }];
  }
  return entryProblems('timeline', { at: '+0s', ...step }, path);
}

function entryProblems(list: 'rules' | 'timeline' | 'expect', entry: unknown, path: string): StoredProblem[] {
  return problemsOf({ version: 1, [list]: [entry] }, path);
}

function problemsOf(document: object, path: string): StoredProblem[] {
  const result = loadPart(scenarioSchema, JSON.stringify(document), 'snapshot');
  if ('value' in result) return [];
  return result.problems.map(({ path: inner, message, found, allowed }) => ({
    path,
    message: `is rejected at "${inner}": ${message} Found ${found}.${allowed === undefined ? '' : ` Allowed: ${allowed}.`}`,
  }));
}

function at(row: object, name: string): unknown {
  return asObject(row)[name];
}

function asObject(value: unknown): Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Plain) : {};
}
