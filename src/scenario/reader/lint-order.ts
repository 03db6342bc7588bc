/**
 * Warnings about the order of rules: those that never apply after an earlier one, and those that wait for a rule that
 * never applies.
 */
import { isDeepStrictEqual } from 'node:util';
import { compileMatcher, isPlainText, rulesBefore } from '../language/matchers.js';
import { awaitedOf } from '../language/timeline.js';
import { HOOKS } from '../language/hooks.js';
import type { LoadedRule } from '../language/rules.js';
import type { Match, Matcher } from '../language/match.js';
import { slotNames } from './lint-rule.js';
import type { LoadedFile, RuleSources } from './merge.js';
import type { Warn, YamlNode } from '../language/yaml-node.js';

/** Warns of each slot that never applies, because an earlier rule always takes it. */
export function lintShadowed(rules: readonly LoadedRule[], sources: RuleSources, warn: Warn): void {
  /** By hook and slot, the earlier rules that always apply when they match. */
  const takers = new Map<string, LoadedRule[]>();
  for (const rule of rules) {
    for (const slot of slotNames(rule)) {
      const key = `${rule.when} ${slot}`;
      const before = takers.get(key) ?? [];
      const earlier = before.find(({ match }) => covers(match ?? {}, rule.match ?? {}));
      if (rule.pick === undefined && rule.active === undefined) takers.set(key, [...before, rule]);
      if (earlier === undefined) continue;
      const place = sources.get(rule);
      const where = `${earlier.source.file}:${earlier.source.line}`;
      warn(place?.reading.places.get(`${place.path}.then.${slot}`) ?? place, {
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
    if (condition === other) return true;
    if (key === 'after') return false;
    if (typeof condition === 'string' && typeof other === 'string' && isPlainText(condition)) return false;
    if (typeof condition === 'object' && isDeepStrictEqual(condition, other)) return true;
    if (['not', 'any', 'variables', 'batch', 'customer', 'after'].includes(key)) return false;
    return coversMatcher(condition as Matcher, other as Matcher, key === 'path');
  });
}

function coversMatcher(wide: Matcher, narrow: Matcher, slashesArePlain: boolean): boolean {
  if (Array.isArray(narrow)) return narrow.every((one) => coversMatcher(wide, one, slashesArePlain));
  if (wide === '*') return typeof narrow === 'string';
  const text = literalOf(narrow, slashesArePlain);
  return text !== undefined && compileMatcher(wide, { slashesArePlain })(text);
}

/** Returns the one text that a matcher matches, if it is a plain text. */
function literalOf(matcher: Matcher, slashesArePlain: boolean): string | undefined {
  return typeof matcher === 'string' && isPlainText(matcher, { slashesArePlain }) ? matcher : undefined;
}

/** Warns of rules that never apply because of `match.after`. */
export function lintAfter(rules: readonly LoadedRule[], sources: RuleSources, warn: Warn): void {
  const ids = rules.map(({ id }) => id);
  for (const rule of rules) {
    for (const before of rulesBefore(rule.match)) {
      // `not: { after: OWN_ID }` means once for each customer.
      const isItself = before === rule.id && rule.match?.after === before;
      if (ids.includes(before) && !isItself) continue;
      const place = sources.get(rule);
      const at = place?.reading.places.get(`${place.path}.match.after`) ?? place;
      const message = isItself
        ? `Rule ${rule.id} waits for itself, so it never applies.`
        : `There is no rule "${before}", so rule ${rule.id} never applies unless one of this id is added at run time.`;
      warn(at, { code: 'unknown_rule', message, found: before, words: ids.filter((id) => id !== rule.id) });
    }
  }
}

/** Warns of steps that never happen. */
export function lintAwaited(
  file: LoadedFile,
  ids: readonly string[],
  placeOf: (entry: object) => YamlNode | undefined,
  warn: Warn,
): void {
  for (const entry of file.scenario.timeline ?? []) {
    if (typeof entry.at === 'string' || !('after' in entry.at)) continue;
    const awaited = awaitedOf(entry.at.after);
    if ('hook' in awaited || ids.includes(awaited.rule)) continue;
    const message = `There is no rule "${awaited.rule}", so this step never happens.`;
    const words = [...ids, ...HOOKS];
    warn(placeOf(entry), { code: 'unknown_rule', message, found: awaited.rule, words });
  }
}
