/**
 * The request header `X-Sandbox-Prefer: status=429; retry_after=2s`: actions for one call, which take precedence over
 * every rule. Its values have the forms of scenario files.
 */
import { z } from 'zod';
import type { RuleSet } from '../rules/effects.js';
import { compileRules } from '../rules/rules.js';
import { entryOf, type Schema } from '../language/about.js';
import { slotsSchema, type Slots } from '../language/actions.js';
import { object, optional } from '../language/kit.js';
import type { Problem } from '../language/problems.js';
import { loadPart } from './load.js';

const NAME = 'X-Sandbox-Prefer';
const MAX_LENGTH = 1024;

const KEYS: Readonly<Record<string, readonly [path: string, about: string]>> = {
  status: ['respond.status', 'HTTP status of the response'],
  code: ['respond.code', 'error code'],
  message: ['respond.message', 'error message'],
  retry_after: ['respond.retry_after', 'value of the response header `Retry-After`'],
  latency_real: ['respond.latency_real', 'delay of the response, in real time'],
  fault_real: ['respond.fault_real', 'fault of the connection, such as `reset`'],
  accept: ['respond.accept', '`true`: the call takes effect in spite of this response'],
  refuse: ['refuse.code', 'error code with which the recipient is rejected'],
  lifecycle: ['lifecycle', 'name of a preset or a channel failure'],
  review: ['review.status', 'decision on the template: `approve`, `reject` or `never`'],
  after: ['review.after', 'time from submission of the template to the decision'],
  reason: ['review.because', 'with `review=reject`: reason for the rejection'],
  otp_code: ['otp.code', 'one-time code to send'],
  attempts: ['otp.attempts', 'number of wrong attempts until the code is locked'],
  expires: ['otp.expires', 'time after which the code expires'],
  inbound: ['inbound.text', "text of the customer's reply"],
  window: ['window', 'session window: `open` or `closed`'],
};

const DECISIONS = { approve: 'approved', reject: 'rejected', never: 'pending' } as const;

export const preferKeys: readonly { readonly key: string; readonly about: string }[] = Object.entries(KEYS).map(
  ([key, [, about]]) => ({ key, about }),
);

const headerSchema = object(
  Object.fromEntries(
    Object.entries(KEYS).map(([key, [path, about]]) => {
      const schema = path.split('.').reduce<Schema | undefined>(entryOf, slotsSchema) as Schema;
      return [key, optional(key === 'review' ? z.enum(['approve', 'reject', 'never']) : schema, about)];
    }),
  ),
);

/** Each sentence has the value found, the allowed values and the probable meaning. */
export type PreferResult = { readonly slots: Slots } | { readonly problems: readonly string[] };

/** A value in double quotes can contain `;`. Control characters are rejected. */
export function parsePrefer(header: string): PreferResult {
  if (header.length > MAX_LENGTH) {
    return { problems: [`${NAME} has ${header.length} characters; at most ${MAX_LENGTH} are allowed.`] };
  }
  // Values become response headers and bodies, so nothing that could end a header line is allowed.
  if (/[^\x20-\x7e]/.test(header)) {
    return { problems: [`${NAME} has characters that a header cannot have. Allowed: printable ASCII.`] };
  }
  const entries = (header.match(/(?:[^;"]|"[^"]*"?)+/g) ?? []).flatMap((part) => {
    const [, key = '', value = ''] = /^([^=]*)=?(.*)$/.exec(part)?.map((piece) => piece.trim()) ?? [];
    return part.trim() === '' ? [] : [`${JSON.stringify(key)}: ${asYaml(value)}`];
  });
  if (entries.length === 0) return { problems: [`${NAME} is empty. Allowed: ${Object.keys(KEYS).join(', ')}.`] };
  const read = loadPart(headerSchema, `{ ${entries.join(', ')} }`, NAME);
  if ('problems' in read) return { problems: read.problems.map(sentence) };
  const slots: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(read.value)) {
    const [slot = '', inner] = KEYS[key]?.[0].split('.') ?? [];
    const meant = key === 'review' ? DECISIONS[value as keyof typeof DECISIONS] : value;
    slots[slot] = inner === undefined ? meant : { ...(slots[slot] as object | undefined), [inner]: meant };
  }
  const result = loadPart(slotsSchema, JSON.stringify(slots), NAME);
  return 'problems' in result ? { problems: result.problems.map(sentence) } : { slots: result.value };
}

/** A number or true stands without quotes, even where a text can stand without them. */
function asYaml(value: string): string {
  if (/^(?:-?\d{1,9}|true|false|)$/.test(value)) return value;
  return JSON.stringify(/^"[^"]*"$/.test(value) ? value.slice(1, -1) : value);
}

function sentence({ path, message, found, allowed, suggestion }: Problem): string {
  const shown = message.includes(found) ? '' : ` Found ${found}.`;
  const meant = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
  const choice = allowed === undefined ? '' : ` Allowed: ${allowed}.`;
  return `${NAME}: ${path}: ${message}${shown}${meant}${choice}`;
}

/** The actions apply at every hook of the call. */
export function preferRules(slots: Slots): RuleSet {
  const rule = { id: NAME, when: 'api.any', then: slots, source: { file: '', line: 0 } } as const;
  return compileRules([rule], { by: 'header', everywhere: true, describe: () => `Requested with ${NAME}.` });
}
