/** Scenarios and rules that are invalid: as an HTTP 400 error, and in a snapshot, which users can edit. */
import { ServiceError, type ErrorDetail } from '../../domain/errors.js';
import type { Problem } from '../schema/problems.js';
import { isPlain } from '../reader/yaml.js';
import { scenarioSchema } from '../schema/scenario.js';

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

interface ScriptTables {
  readonly scenarios: readonly object[];
  readonly rules: readonly object[];
  readonly jobs?: readonly object[];
}

/**
 * Checks the scenario, the rules and the steps of a snapshot by the schema of scenario files, because their values are used in
 * headers, expressions and timers. Entry by entry: together they may be longer than one file, as they come from up to twenty.
 */
export function storedScriptProblems({ scenarios, rules, jobs = [] }: ScriptTables): StoredProblem[] {
  return [
    ...scenarios.flatMap((row, i) => scenarioProblems(at(row, 'scenario'), `tables.scenarios[${i}].scenario`)),
    ...rules.flatMap((row, i) => ruleProblems(at(row, 'rule'), `tables.rules[${i}].rule`)),
    ...jobs.flatMap((job, i) =>
      at(job, 'kind') === 'scenario.step' ? stepProblems(at(job, 'data'), `tables.jobs[${i}].data`) : [],
    ),
  ];
}

function scenarioProblems(scenario: unknown, path: string): StoredProblem[] {
  const { rules, timeline, expect, given, files, ...head } = asObject(scenario);
  if (!Array.isArray(rules) || !Array.isArray(timeline) || !Array.isArray(expect) || !Array.isArray(files)) {
    return [{ path, message: 'must be a scenario as in a snapshot, with rules, timeline, expect and files' }];
  }
  const entries = Object.entries(asObject(given)).flatMap(([kind, list]) =>
    [list].flat().map((entry, i) => ({ part: { given: { [kind]: [entry] } }, at: `given.${kind}[${i}]` })),
  );
  return [
    ...problemsOf(head, path),
    ...rules.flatMap((rule, i) => ruleProblems(rule, `${path}.rules[${i}]`)),
    ...timeline.flatMap((step, i) => problemsOf({ timeline: [step] }, `${path}.timeline[${i}]`)),
    ...expect.flatMap((check, i) => problemsOf({ expect: [check] }, `${path}.expect[${i}]`)),
    ...entries.flatMap(({ part, at: within }) => problemsOf(part, `${path}.${within}`)),
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
  return problemsOf({ rules: [rule] }, path);
}

/** Checks a step of a job: an action with its kind and the field of that name. */
function stepProblems(action: unknown, path: string): StoredProblem[] {
  const { kind, ...step } = asObject(action);
  if (typeof kind !== 'string' || !Object.hasOwn(step, kind)) {
    return [{ path, message: 'must be a step of a timeline, with its kind and the field of that name' }];
  }
  return problemsOf({ timeline: [{ at: '+0s', ...step }] }, path);
}

/** @param part some keys of a scenario */
function problemsOf(part: object, path: string): StoredProblem[] {
  const { error } = scenarioSchema().safeParse({ ...part, version: 1 });
  return (error?.issues ?? []).map((issue) => {
    return { path, message: `is invalid at "${issue.path.join('.')}": ${issue.message}` };
  });
}

function at(row: object, name: string): unknown {
  return asObject(row)[name];
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isPlain(value) ? value : {};
}
