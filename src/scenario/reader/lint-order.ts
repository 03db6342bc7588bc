/** What waits for a rule that is not there would load, and never come. */
import { rulesBefore } from '../engine/matchers.js';
import { awaitedOf } from '../engine/timeline.js';
import { HOOKS } from '../language/hooks.js';
import type { LoadedRule } from '../language/rules.js';
import type { LoadedFile, RuleSources } from './scenario-schema.js';
import type { Warn, YamlNode } from './yaml-node.js';

/** A rule can only follow one that is there. */
export function lintAfter(rules: readonly LoadedRule[], sources: RuleSources, warn: Warn): void {
  const ids = rules.map(({ id }) => id);
  for (const rule of rules) {
    for (const before of rulesBefore(rule.match)) {
      // Not after itself means once for each customer.
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

/** A step can only follow a rule that is there. */
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
    const message = `There is no rule "${awaited.rule}", so this step never comes.`;
    const words = [...ids, ...HOOKS];
    warn(placeOf(entry), { code: 'unknown_rule', message, found: awaited.rule, words });
  }
}
