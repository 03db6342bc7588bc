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

type Kind = 'text' | 'plain' | 'decision';
/** Header keys: what each one sets. `plain` values are numbers or true and false; a `decision` is one of three words. */
const KEYS: Readonly<Record<string, readonly [path: string, kind: Kind, about: string]>> = {
  status: ['respond.status', 'plain', 'HTTP status of the response'],
  code: ['respond.code', 'text', 'error code'],
  message: ['respond.message', 'text', 'error message'],
  retry_after: ['respond.retry_after', 'text', 'Retry-After header'],
  latency_real: ['respond.latency_real', 'text', 'real time by which the response is delayed'],
  fault_real: ['respond.fault_real', 'text', 'fault of the connection'],
  accept: ['respond.accept', 'plain', 'whether the operation still happens'],
  refuse: ['refuse.code', 'text', 'code with which the recipient is rejected'],
  lifecycle: ['lifecycle', 'text', 'a preset or a channel failure by name'],
  review: ['review.status', 'decision', 'approve, reject or never'],
  after: ['review.after', 'text', 'time from submission to decision'],
  reason: ['review.because', 'text', 'reason of the rejection'],
  otp_code: ['otp.code', 'text', 'code to send'],
  attempts: ['otp.attempts', 'plain', 'number of wrong codes until the code is locked'],
  expires: ['otp.expires', 'text', 'time from send to expiry'],
  inbound: ['inbound.text', 'text', 'text of the reply of the customer'],
  window: ['window', 'text', 'open or closed'],
};

const DECISIONS: Readonly<Record<string, string>> = { approve: 'approved', reject: 'rejected', never: 'pending' };

/** The keys of the header, for the docs. */
export const preferKeys: readonly { readonly key: string; readonly about: string }[] = Object.entries(KEYS).map(
  ([key, [, , about]]) => ({ key, about }),
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
    const [, key = '', value = ''] = /^([^=]*)=?(.*)$/.exec(part)?.map((piece) => piece.trim()) ?? [];
    const fault = seen.has(key) ? `Duplicate key "${key}" in X-Sandbox-Prefer.` : setValue(slots, key, unquote(value));
    if (fault !== undefined) problems.push(fault);
    seen.add(key);
  }
  if (problems.length > 0) return { problems };
  if (seen.size === 0) return { problems: [`X-Sandbox-Prefer is empty. Allowed: ${Object.keys(KEYS).join(', ')}.`] };
  return readSlots(slots);
}

function unquote(value: string): string {
  return /^"[^"]*"$/.test(value) ? value.slice(1, -1) : value;
}

function setValue(slots: Record<string, unknown>, key: string, value: string): string | undefined {
  const known = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  if (known === undefined) {
    const nearest = nearestWord(key, Object.keys(KEYS));
    const meant = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
    return `Unknown key "${key.slice(0, 80)}" in X-Sandbox-Prefer.${meant} Allowed: ${Object.keys(KEYS).join(', ')}.`;
  }
  const [path, kind, about] = known;
  if (value === '') return `"${key}" has no value in X-Sandbox-Prefer. Write ${key}=VALUE: ${about}.`;
  if (kind === 'decision' && !Object.hasOwn(DECISIONS, value)) {
    return `Invalid review "${value}" in X-Sandbox-Prefer. Allowed: approve, reject, never.`;
  }
  const read: unknown = kind === 'plain' ? plain(value) : kind === 'decision' ? DECISIONS[value] : value;
  const [slot = '', inner] = path.split('.');
  slots[slot] = inner === undefined ? read : { ...(slots[slot] as object | undefined), [inner]: read };
  return undefined;
}

function plain(value: string): unknown {
  if (/^-?\d{1,9}$/.test(value)) return Number(value);
  return value === 'true' ? true : value === 'false' ? false : value;
}

function readSlots(slots: Record<string, unknown>): PreferResult {
  const result = loadPart(slotsSchema, JSON.stringify(slots), 'X-Sandbox-Prefer');
  return 'problems' in result ? { problems: result.problems.map(sentence) } : { slots: result.value };
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
