/** Warnings about rules and steps that wait for a rule that does not exist. */
import { rulesBefore } from '../engine/matchers.js';
import { awaitedOf } from '../engine/timeline.js';
import { HOOKS } from '../language/hooks.js';
import type { LoadedRule } from '../language/rules.js';
import type { LoadedFile, RuleSources } from './scenario-schema.js';
import type { Warn, YamlNode } from './yaml-node.js';

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
