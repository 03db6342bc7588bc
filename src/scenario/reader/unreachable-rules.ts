/** Finds rules that never apply because an earlier rule matches everything that they match. */
import type { LoadedRule, Match, Matcher } from '../language/rules.js';
import type { SlotName } from '../language/slots.js';
import { slotNames } from './lint-rule.js';
import { compileMatcher, isPlainText } from '../engine/matchers.js';
import { isDeepStrictEqual } from 'node:util';

/** Returns true only if it is certain; conditions that are hard to compare count as different. */
export function covers(wide: Match, narrow: Match): boolean {
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

/** Returns each slot that never applies, with the earlier rule that takes precedence. */
export function shadowed(rules: readonly LoadedRule[]): { rule: LoadedRule; slot: SlotName; earlier: LoadedRule }[] {
  /** By hook and slot, the earlier rules that always apply when they match. */
  const takers = new Map<string, LoadedRule[]>();
  return rules.flatMap((rule) =>
    slotNames(rule).flatMap((slot) => {
      const key = `${rule.when} ${slot}`;
      const before = takers.get(key) ?? [];
      const earlier = before.find(({ match }) => covers(match ?? {}, rule.match ?? {}));
      if (rule.pick === undefined && rule.active === undefined) {
        before.push(rule);
        takers.set(key, before);
      }
      return earlier === undefined ? [] : [{ rule, slot, earlier }];
    }),
  );
}
