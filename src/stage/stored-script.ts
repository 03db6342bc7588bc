/** Checks a scenario in a snapshot, which users can edit: its values are used in headers, expressions and timers. */
import { z } from 'zod';
import { isObject } from '../domain/json.js';
import { ruleSchema } from '../language/rule.js';
import { scenarioSchema } from '../language/scenario.js';
import { timelineEntrySchema } from '../language/timeline.js';

export interface StoredProblem {
  readonly path: string;
  /** Predicate of the sentence that begins with the path. */
  readonly message: string;
}

interface ScriptTables {
  readonly scenarios: readonly object[];
  readonly rules: readonly object[];
  readonly jobs?: readonly object[];
}

/** A loader's additions to a rule. A generated id contains the name of a file, so any one-line text is allowed. */
const loaded = z.looseObject({
  id: z.string().regex(/^[^\p{Cc}\p{Cs}]{1,300}$/u, 'it must be a text of one line, of at most 300 characters'),
  source: z.object({ file: z.string(), line: z.number() }),
});
const rule = loaded.transform(({ id: _id, source: _source, ...rest }): unknown => rest).pipe(ruleSchema);
const step = z
  .looseObject({ kind: z.string() })
  .transform(({ kind: _kind, ...rest }): unknown => ({ at: '+0s', ...rest }));
const list = z.array(z.unknown());
const scenario = z.looseObject({ rules: z.array(rule), timeline: list, expect: list, files: list });

export function storedScriptProblems({ scenarios, rules, jobs = [] }: ScriptTables): StoredProblem[] {
  const steps = jobs.map((job) => (at(job, 'kind') === 'scenario.step' ? at(job, 'data') : undefined));
  return [
    ...scenarios.flatMap((row, i) => scenarioProblems(at(row, 'scenario'), `tables.scenarios[${i}].scenario`)),
    ...rules.flatMap((row, i) => problemsOf(rule, at(row, 'rule'), `tables.rules[${i}].rule`)),
    ...steps.flatMap((data, i) =>
      data === undefined ? [] : problemsOf(step.pipe(timelineEntrySchema), data, `tables.jobs[${i}].data`),
    ),
  ];
}

function scenarioProblems(value: unknown, path: string): StoredProblem[] {
  const { rules: _rules, files: _files, ...rest } = isObject(value) ? value : {};
  return [...problemsOf(scenario, value, path), ...problemsOf(scenarioSchema, { ...rest, version: 1 }, path)];
}

/** A list may be longer than in a file, because its entries come from up to twenty. */
function problemsOf(schema: z.ZodType, value: unknown, base: string): StoredProblem[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues
    .filter((issue) => issue.code !== 'too_big' || issue.origin !== 'array')
    .map(({ path, message }) => {
      const within = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
      return { path: base + within.join(''), message: `is invalid: ${message}` };
    });
}

const at = (row: object, name: string): unknown => (row as Readonly<Record<string, unknown>>)[name];
