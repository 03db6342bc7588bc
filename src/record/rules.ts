/** Returns the rules that applied in a recording, as they would be written in its scenario. */
import type { RunTimeRule } from '../domain/script-state.js';
import type { LoadedRule, Rule } from '../scenario/language/rules.js';
import { formatDuration } from '../time/duration.js';
import { parseOffset } from '../scenario/language/texts.js';
import type { Recording } from './recording.js';

/** Rules added at run time come first, the newest at the top, because of their precedence. */
export function appliedRules({ account, startMs, endMs }: Recording): Rule[] {
  const { script, store } = account;
  const { ruleHits, rules } = store.tables;
  const applied = ({ id }: LoadedRule) => {
    const last = ruleHits.get(id);
    return last !== undefined && last.atMs >= startMs && last.hits > 0;
  };
  const added = ([...rules.all()] as RunTimeRule[]).reverse().map((row) => ({
    rule: row.rule as LoadedRule,
    sinceMs: row.addedAtMs ?? startMs,
  }));
  const ofScenario = (script.scenario?.rules ?? []).map((rule) => ({ rule, sinceMs: script.activatedAtMs ?? startMs }));
  const ids = new Set<string>();
  return [...added, ...ofScenario]
    .filter(({ rule, sinceMs }) => applied(rule) && sinceMs <= endMs)
    .map(({ rule, sinceMs }, index) => {
      const { source: _source, id: wanted, active, ...rest } = rule;
      // Two layers may use one id; a file may not.
      const id = ids.has(wanted) ? `${wanted}-${index + 1}` : wanted;
      ids.add(id);
      const times = activeFrom(active, sinceMs - startMs);
      return { id, ...rest, ...(times && { active: times }) };
    });
}

/** Offsets of a rule count from its activation; here, they count from the start of the recording. */
function activeFrom(active: Rule['active'], sinceMs: number): Rule['active'] {
  const moved = (offset: string) => `+${formatDuration(Math.max(parseOffset(offset) + sinceMs, 0))}`;
  const from =
    active?.from === undefined ? (sinceMs > 0 ? `+${formatDuration(sinceMs)}` : undefined) : moved(active.from);
  const to = active?.to === undefined ? undefined : moved(active.to);
  if (from === undefined && to === undefined) return undefined;
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}
