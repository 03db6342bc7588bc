/** Writes a rule on one line: its conditions and its actions, in the flow style of a scenario file. */
import type { Rule } from '../../core/records.js';

export interface RuleWords {
  /** `message.send where to +1415*, nth 3`. */
  readonly condition: string;
  /** `respond status 503, retry_after 2s`. */
  readonly effect: string;
}

export function ruleWords({ when, match, pick, per, active, then }: Rule): RuleWords {
  const hooks = Array.isArray(when) ? when.join(' or ') : when;
  const parts = [
    hooks,
    ...(match === undefined ? [] : [`where ${entries(match)}`]),
    ...(pick === undefined ? [] : [`pick ${entries(pick)}`]),
    ...(per === undefined ? [] : [`per ${flow(per)}`]),
    ...(active === undefined ? [] : [`active ${entries(active)}`]),
  ];
  return { condition: parts.join(' · '), effect: entries(then) };
}

/** Writes an object without its outer braces. */
export function entries(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return flow(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${flow(inner)}`)
    .join(', ');
}

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? value : JSON.stringify(value);
  return `{ ${entries(value)} }`;
}
