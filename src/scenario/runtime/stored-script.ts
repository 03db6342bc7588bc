/**
 * Validates the scenario and the rules of a snapshot. The shapes of scenario files parse them again, because their
 * values are used in headers, expressions and timers.
 */
import { stepsFault } from '../language/regex.js';
import { expressionSteps } from '../language/matchers.js';
import { loadPart } from '../reader/load.js';
import type { LoadedRule } from '../language/rules.js';
import { scenarioShape } from '../language/scenario.js';

/** A problem and its place. */
export interface StoredProblem {
  /** A path such as `tables.rules[0].rule.then`. */
  readonly path: string;
  /** Predicate of the sentence that begins with the path. */
  readonly message: string;
}

type Plain = Readonly<Record<string, unknown>>;

export function storedScriptProblems(tables: {
  readonly scenarios: readonly object[];
  readonly rules: readonly object[];
  readonly jobs?: readonly object[];
}): StoredProblem[] {
  const problems = [
    ...tables.scenarios.flatMap((row, i) => scenarioProblems(at(row, 'scenario'), `tables.scenarios[${i}].scenario`)),
    ...tables.rules.flatMap((row, i) => ruleProblems(at(row, 'rule'), `tables.rules[${i}].rule`)),
    ...(tables.jobs ?? []).flatMap((job, i) =>
      at(job, 'kind') === 'scenario.step' ? stepProblems(at(job, 'data'), `tables.jobs[${i}].data`) : [],
    ),
  ];
  return problems.length > 0 ? problems : stepsProblems(tables);
}

/** Checks all rules together; each of them has already been checked alone. */
function stepsProblems({ scenarios, rules }: { scenarios: readonly object[]; rules: readonly object[] }) {
  const ofScenario = scenarios.flatMap((row) => asObject(at(row, 'scenario'))['rules'] as LoadedRule[]);
  const added = rules.map((row) => at(row, 'rule') as LoadedRule);
  const fault = stepsFault(expressionSteps([...ofScenario, ...added].map(({ match }) => match)), 'all rules');
  return fault
    ? [
        {
          path: 'tables.rules',
          message: `are rejected: ${fault.message} Found ${fault.found}. Allowed: ${fault.allowed}.`,
        },
      ]
    : [];
}

/** Checks entry by entry: together, they may be longer than one file, because they come from up to twenty. */
function scenarioProblems(scenario: unknown, path: string): StoredProblem[] {
  const { rules, timeline, expect, given, files, ...head } = asObject(scenario);
  if (![rules, timeline, expect, files].every(Array.isArray)) {
    return [{ path, message: 'must be a scenario as in a snapshot, with rules, timeline, expect and files' }];
  }
  return [
    ...problemsOf({ ...head, version: 1 }, path),
    ...(rules as unknown[]).flatMap((rule, i) => ruleProblems(rule, `${path}.rules[${i}]`)),
    ...(timeline as unknown[]).flatMap((entry, i) => entryProblems('timeline', entry, `${path}.timeline[${i}]`)),
    ...(expect as unknown[]).flatMap((entry, i) => entryProblems('expect', entry, `${path}.expect[${i}]`)),
    ...Object.entries(asObject(given)).flatMap(([kind, entries]) =>
      (Array.isArray(entries) ? (entries as unknown[]) : [entries]).flatMap((entry, i) =>
        problemsOf({ version: 1, given: { [kind]: [entry] } }, `${path}.given.${kind}[${i}]`),
      ),
    ),
  ];
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
  const result = loadPart(scenarioShape, JSON.stringify(document), 'snapshot');
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
