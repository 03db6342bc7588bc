/** Checks a scenario in a snapshot, which users can edit: its values are used in headers, expressions and timers. */
import { isObject } from '../../domain/json.js';
import { scenarioSchema } from '../schema/scenario.js';

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

/** By the schema of files, entry by entry: together the entries may exceed one file, as they come from up to twenty. */
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
  const { rules, files, timeline, expect, given, ...head } = asObject(scenario);
  if (![rules, timeline, expect, files].every(Array.isArray)) {
    return [{ path, message: 'must be a scenario as in a snapshot, with rules, timeline, expect and files' }];
  }
  const each = (list: unknown, name: string, within: (entry: unknown) => object) =>
    [list].flat().flatMap((entry, i) => problemsOf(within(entry), `${path}.${name}[${i}]`));
  return [
    ...problemsOf(head, path),
    ...(rules as unknown[]).flatMap((rule, i) => ruleProblems(rule, `${path}.rules[${i}]`)),
    ...each(timeline, 'timeline', (entry) => ({ timeline: [entry] })),
    ...each(expect, 'expect', (entry) => ({ expect: [entry] })),
    ...Object.entries(asObject(given)).flatMap(([kind, list]) =>
      each(list, `given.${kind}`, (entry) => ({ given: { [kind]: [entry] } })),
    ),
  ];
}

/** A generated id contains the name of a file, so any one-line text is allowed. */
function ruleProblems(value: unknown, path: string): StoredProblem[] {
  const { id, source, ...rule } = asObject(value);
  const { file, line } = asObject(source);
  if (typeof id !== 'string' || !/^\P{Cc}+$/u.test(id)) {
    return [{ path: `${path}.id`, message: 'must be a text of one line' }];
  }
  if (typeof file !== 'string' || typeof line !== 'number') {
    return [{ path: `${path}.source`, message: 'must have file and line' }];
  }
  return problemsOf({ rules: [rule] }, path);
}

function stepProblems(action: unknown, path: string): StoredProblem[] {
  const { kind, ...step } = asObject(action);
  if (typeof kind === 'string' && Object.hasOwn(step, kind)) {
    return problemsOf({ timeline: [{ at: '+0s', ...step }] }, path);
  }
  return [{ path, message: 'must be a step of a timeline, with its kind and the field of that name' }];
}

/** @param part some keys of a scenario */
function problemsOf(part: object, path: string): StoredProblem[] {
  const issues = scenarioSchema.safeParse({ ...part, version: 1 }).error?.issues ?? [];
  return issues.map((issue) => ({ path, message: `is invalid at "${issue.path.join('.')}": ${issue.message}` }));
}

const at = (row: object, name: string): unknown => asObject(row)[name];
const asObject = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});
