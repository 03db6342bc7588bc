/** Whether one match fits everything that another one fits, as far as that can be seen from how they are written. */
import type { LoadedRule, Match, Matcher } from '../language/rules.js';
import type { SlotName } from '../language/slots.js';
import { slotNames } from './lint-rule.js';
import { compileMatcher, isPlainText } from '../engine/matchers.js';
import { isDeepStrictEqual } from 'node:util';

/** true only when it is certain; conditions too clever to compare count as different. */
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

/** The one text that a matcher fits, if it is that simple. */
function literalOf(matcher: Matcher, slashesArePlain: boolean): string | undefined {
  return typeof matcher === 'string' && isPlainText(matcher, { slashesArePlain }) ? matcher : undefined;
}

/** For each slot that can never decide, the earlier rule that takes it. */
export function shadowed(rules: readonly LoadedRule[]): { rule: LoadedRule; slot: SlotName; earlier: LoadedRule }[] {
  /** By hook and slot, the rules so far that act on all they fit. */
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
