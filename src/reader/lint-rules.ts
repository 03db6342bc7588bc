/**
 * Warnings about rules and steps that never happen: behind an earlier rule, or because they wait for an unknown one.
 */
import { isDeepStrictEqual } from 'node:util';
import { compileMatcher, isPlainText } from '../rules/match.js';
import { awaitedOf } from '../language/durations.js';
import { HOOKS } from '../language/hooks.js';
import type { Match, Matcher } from '../language/match.js';
import type { Problem } from '../language/problems.js';
import type { LoadedRule } from '../language/rule.js';
import type { LoadedScenario } from '../language/scenario.js';
import type { RuleSources } from './merge.js';
import type { Place } from './place.js';

export function lintShadowed(sources: RuleSources): void {
  /** By hook and action, the earlier rules that always apply when they match. */
  const takers = new Map<string, LoadedRule[]>();
  for (const [rule, place] of sources) {
    for (const slot of Object.keys(rule.then)) {
      const key = `${rule.when} ${slot}`;
      const before = takers.get(key) ?? [];
      const earlier = before.find(({ match }) => covers(match ?? {}, rule.match ?? {}));
      if (rule.pick === undefined && rule.active === undefined) takers.set(key, [...before, rule]);
      if (earlier === undefined) continue;
      const where = `${earlier.source.file}:${earlier.source.line}`;
      place.at(`then.${slot}`)?.warn({
        code: 'shadowed_rule',
        message: `The action "${slot}" of rule ${rule.id} never applies: rule ${earlier.id} (${where}) comes first and matches everything that this one matches.`,
        found: rule.id,
        allowed: 'this rule before the other one, or a narrower match in the other one',
      });
    }
  }
}

/** Returns true only if it is certain; conditions that are hard to compare count as different. */
function covers(wide: Match, narrow: Match): boolean {
  return Object.entries(wide).every(([key, condition]) => {
    const other: unknown = narrow[key as keyof Match];
    if (other === undefined) return false;
    if (isDeepStrictEqual(condition, other)) return true;
    if (key === 'not') return false;
    return coversMatcher(condition as Matcher, other as Matcher, key === 'url');
  });
}

function coversMatcher(wide: Matcher, narrow: Matcher, slashesArePlain: boolean): boolean {
  if (Array.isArray(narrow)) return narrow.every((one) => coversMatcher(wide, one, slashesArePlain));
  if (wide === '*') return typeof narrow === 'string';
  const isOneText = typeof narrow === 'string' && isPlainText(narrow, { slashesArePlain });
  return isOneText && compileMatcher(wide, { slashesArePlain })(narrow);
}

export function lintAwaited(sources: RuleSources, roots: readonly Place[]): void {
  const ids = [...sources.keys()].map(({ id }) => id);
  for (const step of roots.flatMap((root) => root.items('timeline'))) {
    const at = step.at('at.after');
    const awaited = awaitedOf(at?.text ?? '');
    if (at === undefined || 'hook' in awaited || ids.includes(awaited.rule)) continue;
    const message = `There is no rule "${awaited.rule}", so this step never happens.`;
    at.warn({ code: 'unknown_rule', message, found: awaited.rule, words: [...ids, ...HOOKS] });
  }
}

/** A rule that never applied causes no warning if a check asks for that. */
export function lintNeverHit(
  { rules, expect }: Pick<LoadedScenario, 'rules' | 'expect'>,
  hitsOf: (id: string) => number,
): Problem[] {
  const unwanted = expect.flatMap((check) =>
    'that' in check && (check.count ?? check.max) === 0 ? [check.where?.['rule'] ?? []].flat() : [],
  );
  return rules
    .filter(({ id }) => hitsOf(id) === 0 && !unwanted.includes(id))
    .map(({ id, when, source }) => ({
      file: source.file,
      line: source.line,
      column: 1,
      path: id,
      code: 'never_hit',
      message: `Rule ${id} never applied: nothing at ${when} matched it, or earlier rules took precedence.`,
      found: '0 hits',
      allowed: 'a match for what the application does, or no such rule',
    }));
}
