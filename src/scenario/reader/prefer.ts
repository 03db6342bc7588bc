/**
 * The request header `X-Sandbox-Prefer: status=429; retry_after=2s`: slots for one call, which take precedence over
 * every rule. Its values are parsed by the shapes of scenario files.
 */
import { nearestWord } from '../../domain/text.js';
import type { RuleSet } from '../engine/effects.js';
import { compileRules } from '../engine/rules.js';
import { slotsSchema, type Slots } from '../schema/actions.js';
import type { Problem } from '../schema/problems.js';
import { loadPart } from './load.js';

const MAX_PREFER_LENGTH = 1024;

/** Header keys: what each one sets. */
const KEYS: Readonly<Record<string, readonly [path: string, about: string]>> = {
  status: ['respond.status', 'HTTP status of the response'],
  code: ['respond.code', 'error code'],
  message: ['respond.message', 'error message'],
  retry_after: ['respond.retry_after', 'Retry-After header'],
  latency_real: ['respond.latency_real', 'real time by which the response is delayed'],
  fault_real: ['respond.fault_real', 'fault of the connection'],
  accept: ['respond.accept', 'whether the operation still happens'],
  refuse: ['refuse.code', 'code with which the recipient is rejected'],
  lifecycle: ['lifecycle', 'a preset or a channel failure by name'],
  review: ['review.status', 'approve, reject or never'],
  after: ['review.after', 'time from submission to decision'],
  reason: ['review.because', 'reason of the rejection'],
  otp_code: ['otp.code', 'code to send'],
  attempts: ['otp.attempts', 'number of wrong codes until the code is locked'],
  expires: ['otp.expires', 'time from send to expiry'],
  inbound: ['inbound.text', 'text of the reply of the customer'],
  window: ['window', 'open or closed'],
};

const DECISIONS: Readonly<Record<string, string>> = { approve: 'approved', reject: 'rejected', never: 'pending' };

/** The keys of the header, for the docs. */
export const preferKeys: readonly { readonly key: string; readonly about: string }[] = Object.entries(KEYS).map(
  ([key, [, about]]) => ({ key, about }),
);

/** The slots, or a sentence for each problem with the value found, what is allowed and what was probably meant. */
export type PreferResult = { readonly slots: Slots } | { readonly problems: readonly string[] };

/** Parses the header. A value in double quotes may contain `;`. Control characters are rejected. */
export function parsePrefer(header: string): PreferResult {
  if (header.length > MAX_PREFER_LENGTH) {
    return {
      problems: [`X-Sandbox-Prefer has ${header.length} characters; at most ${MAX_PREFER_LENGTH} are allowed.`],
    };
  }
  // Values become response headers and bodies, so nothing that could end a header line is allowed.
  if (/[^\x20-\x7e]/.test(header)) {
    return { problems: ['X-Sandbox-Prefer has characters that a header cannot have. Allowed: printable ASCII.'] };
  }
  const problems: string[] = [];
  const slots: Record<string, unknown> = {};
  const seen = new Set<string>();
  for (const part of header.match(/(?:[^;"]|"[^"]*"?)+/g) ?? []) {
    if (part.trim() === '') continue;
    const [, key = '', written = ''] = /^([^=]*)=?(.*)$/.exec(part)?.map((piece) => piece.trim()) ?? [];
    const value = /^"[^"]*"$/.test(written) ? written.slice(1, -1) : written;
    const fault = seen.has(key) ? `Duplicate key "${key}" in X-Sandbox-Prefer.` : faultOf(key, value);
    seen.add(key);
    if (fault !== undefined) {
      problems.push(fault);
      continue;
    }
    const [slot = '', inner] = KEYS[key]?.[0].split('.') ?? [];
    const read = key === 'review' ? DECISIONS[value] : value;
    slots[slot] = inner === undefined ? read : { ...(slots[slot] as object | undefined), [inner]: read };
  }
  if (problems.length > 0) return { problems };
  if (seen.size === 0) return { problems: [`X-Sandbox-Prefer is empty. Allowed: ${Object.keys(KEYS).join(', ')}.`] };
  // In YAML, a number or true stands without quotes, where a text may stand so, too.
  const text = JSON.stringify(slots).replace(/(?<=:)"(-?\d{1,9}|true|false)"/g, '$1');
  const result = loadPart(slotsSchema, text, 'X-Sandbox-Prefer');
  return 'problems' in result ? { problems: result.problems.map(sentence) } : { slots: result.value };
}

function faultOf(key: string, value: string): string | undefined {
  if (!Object.hasOwn(KEYS, key)) {
    const nearest = nearestWord(key, Object.keys(KEYS));
    const meant = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
    return `Unknown key "${key.slice(0, 80)}" in X-Sandbox-Prefer.${meant} Allowed: ${Object.keys(KEYS).join(', ')}.`;
  }
  const about = KEYS[key]?.[1] ?? '';
  if (value === '') return `"${key}" has no value in X-Sandbox-Prefer. Write ${key}=VALUE: ${about}.`;
  if (key !== 'review' || Object.hasOwn(DECISIONS, value)) return undefined;
  return `Invalid review "${value}" in X-Sandbox-Prefer. Allowed: approve, reject, never.`;
}

function sentence({ path, message, found, allowed, suggestion }: Problem): string {
  const meant = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
  const choice = allowed === undefined ? '' : ` Allowed: ${allowed}.`;
  return `X-Sandbox-Prefer: ${path}: ${message} Found ${found}.${meant}${choice}`;
}

/** Returns the slots of the header as the first layer of rules; they apply at every hook of the call. */
export function preferRules(slots: Slots): RuleSet {
  const rule = { id: 'X-Sandbox-Prefer', when: 'api.any', then: slots, source: { file: '', line: 0 } } as const;
  return compileRules([rule], {
    by: 'header',
    everywhere: true,
    describe: () => 'Requested with X-Sandbox-Prefer.',
  });
}
