/**
 * What a rule under `webhook.deliver` means for attempts after the first (contract §5, slot `webhook`). `signature`, `body`
 * and `receiver` concern each attempt. `duplicate`, `delay`, `drop` and `hold_until` concern the delivery, which is decided
 * once, unless the rule names the attempt: a rule that does not, and has nothing else to say, is not asked about a retry,
 * so that it counts deliveries.
 */
import type { Match } from '../language/match-schema.js';
import type { LoadedRule } from '../language/rule-schema.js';

/** Whether a match says anything about the number of the attempt. */
export function namesAttempt(match: Match | undefined): boolean {
  if (match === undefined) return false;
  return match.attempt !== undefined || namesAttempt(match.not) || (match.any ?? []).some(namesAttempt);
}

/** The rule as it speaks about retries; null when it does not. */
export function aboutRetries(rule: LoadedRule): LoadedRule | null {
  if (rule.when !== 'webhook.deliver' || rule.then.webhook === undefined || namesAttempt(rule.match)) return rule;
  const { duplicate: _duplicate, delay: _delay, drop: _drop, hold_until: _holdUntil, ...webhook } = rule.then.webhook;
  return Object.keys(webhook).length === 0 ? null : { ...rule, then: { ...rule.then, webhook } };
}
