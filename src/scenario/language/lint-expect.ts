/** Expectations that would pass or fail for the wrong reason: they look for what there never is (contract §5, `expect`). */
import { errorCodes, wordsOfField, type Words } from './known-words.js';
import { literals, type NameChecks } from './lint-names.js';
import type { Warn } from './lint-rule.js';
import { lintWords } from './lint-words.js';
import { magicIds } from '../engine/magic-numbers.js';
import type { ExpectSubject, Expectation } from './expect-schema.js';
import type { Matcher } from './match-schema.js';
import type { Place } from './yaml-node.js';
import type { LoadedRule } from './rule-schema.js';

/** What the rules of a scenario add to what expectations can find. */
export interface Spoken {
  readonly rules: Words;
  readonly errors: Words;
}

/** More ids would drown the rest of a warning. */
const mostListed = 30;

export function spokenOf(rules: readonly LoadedRule[]): Spoken {
  const ids = rules.map(({ id }) => id);
  return {
    rules: {
      values: [...ids, ...magicIds(), 'timeline', 'X-Sandbox-Prefer'],
      allowed: ids.length === 0 || ids.length > mostListed ? 'the id of a rule' : ids.join(', '),
      near: ids,
    },
    errors: { values: [...errorCodes, ...rules.flatMap(codesOf)] },
  };
}

/** The error codes that a rule makes up. */
function codesOf({ then: { respond, refuse } }: LoadedRule): string[] {
  const error = asObject(asObject(respond?.body)['error']);
  return [respond?.code, respond?.refuse?.code, refuse?.code, error['code']].filter((code) => typeof code === 'string');
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/**
 * @param at finds the place of a path below the expectation
 * @param more null as `spoken` where not all rules could be read
 */
export function lintExpectation(
  { that, where, has, in_order }: Expectation,
  at: (path: string) => Place | undefined,
  { spoken, checks, warn }: { spoken: Spoken | null; checks: NameChecks; warn: Warn },
): void {
  const sets: [string, Record<string, Matcher> | undefined][] = [
    ['where', where],
    ['has', has],
    ...(in_order ?? []).map((step, index): [string, Record<string, Matcher>] => [`in_order[${index}]`, step]),
  ];
  for (const [set, fields] of sets) {
    const within = (path: string) => at(`${set}.${path}`);
    for (const [field, matcher] of Object.entries(fields ?? {})) {
      const words = wordsHere(that, field, spoken);
      lintWords(matcher, { path: field, subject: `In ${that}, ${field}`, words }, within, warn);
      const check = field === 'alias' ? checks.alias : isTemplateName(that, field) ? checks.template : undefined;
      if (check) for (const [text, path] of literals(matcher, field)) check(text, within(path));
    }
  }
}

function isTemplateName(that: ExpectSubject, field: string): boolean {
  return field === 'template' || (that === 'templates' && field === 'name');
}

function wordsHere(that: ExpectSubject, field: string, spoken: Spoken | null): Words | undefined {
  if (field === 'rule') return spoken?.rules;
  return that === 'requests' && field === 'error' ? spoken?.errors : wordsOfField(that, field);
}
