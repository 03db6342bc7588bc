/**
 * Behaviour without a scenario. Each magic number or name is a few rules for the same engine; the rules of a scenario
 * take precedence.
 */
import { compileRules } from './rules.js';
import type { RuleSet } from './effects.js';
import type { Hook } from '../language/hooks.js';
import type { Facts } from '../language/match.js';
import type { Pick } from '../language/rule.js';
import type { Slots } from '../language/actions.js';

export interface Magic {
  /** The last two digits of the number, or the ending of the template name. */
  readonly suffix: string;
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly rules: readonly MagicRule[];
}

export interface MagicRule {
  readonly when: Hook;
  readonly pick?: Pick;
  readonly then: Slots;
}

const at = (when: Hook, then: Slots): MagicRule[] => [{ when, then }];
const send = (then: Slots): MagicRule[] => at('message.send', then);
const otp = (slot: Required<Slots>['otp']): MagicRule[] => at('otp.send', { otp: slot });
const deliver = (webhook: Required<Slots>['webhook']): MagicRule[] => at('webhook.deliver', { webhook });
const anySend = (then: Slots, pick?: Pick): MagicRule[] =>
  (['message.send', 'otp.send'] as const).map((when) => ({ when, then, ...(pick && { pick }) }));
const state = (lifecycle: string): MagicRule[] => anySend({ lifecycle });
const answer = (respond: Required<Slots>['respond'], pick?: Pick): MagicRule[] => anySend({ respond }, pick);

function magic(suffix: string, name: string, description: string, rules: readonly MagicRule[]): Magic {
  return { suffix, id: `magic-${suffix.replace('_', '')}`, name, description, rules };
}

// Without a status, each gets the one that the dialect gives its code.
const unreachable = { code: 'undeliverable', message: 'The number is not reachable on the channel.' };
const hanging = { accept: true, fault_real: 'hang', latency_real: '30s' } as const;
const unavailable = { code: 'service_unavailable' };
const limited = { code: 'rate_limited', retry_after: '2s' };

/** `+1AAA55501NN` by NN. */
export const magicNumbers: readonly Magic[] = [
  magic('00', 'unread', 'Sent and delivered, never read.', state('unread')),
  magic('01', 'happy', 'Sent, delivered and read.', state('happy')),
  magic('03', 'slow', 'Delivered after 10 minutes.', state('slow')),
  magic('04', 'next_day', 'Delivered after 25 hours.', state('next_day')),
  magic('05', 'no_sent_event', 'Delivered, but no event reports "sent".', state('delivered_only')),
  magic('06', 'out_of_order', 'Events out of order: read, then delivered.', state('out_of_order')),
  magic('07', 'twice', 'Each event comes twice, with the same id.', deliver({ duplicate: 1 })),
  magic('09', 'stuck', 'Sent, but never delivered.', state('stuck')),
  magic('20', 'undeliverable', 'Failed at once: the number is not on the channel (131026).', state('undeliverable')),
  magic('21', 'blocked', 'Failed after 3 seconds: the customer has blocked you (131049).', state('blocked')),
  magic(
    '25',
    'media_failed',
    'Failed: the media could not be fetched (131053).',
    send({ lifecycle: 'media_upload_failed' }),
  ),
  magic('30', 'refused', 'Sends to this number are rejected. In a batch, the entries for other numbers succeed.', [
    ...send({ refuse: { code: 'undeliverable' } }),
    ...at('otp.send', { respond: unreachable }),
  ]),
  magic(
    '40',
    'rate_limited_twice',
    'The first 2 sends get a 429 with the header "Retry-After: 2".',
    answer(limited, { calls: '1..2' }),
  ),
  magic('41', 'unavailable_once', 'The first send gets a 503.', answer(unavailable, { calls: '1' })),
  magic('42', 'always_500', 'Every send gets a 500.', answer({ code: 'internal_error' })),
  magic(
    '43',
    'no_answer',
    'The message is sent, but the call gets no response: the connection closes after 30 seconds.',
    answer(hanging),
  ),
  magic(
    '44',
    'reset',
    'The connection breaks, and the message is not sent.',
    answer({ accept: false, fault_real: 'reset' }),
  ),
  magic('50', 'window_open', 'The session window is always open.', send({ window: 'open' })),
  magic('51', 'window_closed', 'The session window is always closed.', send({ window: 'closed' })),
  magic('60', 'code_zeros', 'The OTP code is all zeros.', otp({ code: '00000000' })),
  magic('61', 'code_expires', 'The OTP expires after 30 seconds.', otp({ expires: '30s' })),
  magic('62', 'code_locks', 'The OTP is locked after 1 wrong code.', otp({ attempts: 1 })),
  magic(
    '70',
    'answers_ok',
    'The customer replies "OK" after 30 seconds.',
    send({ inbound: { after: '30s', text: 'OK' } }),
  ),
  magic(
    '71',
    'taps_button',
    'The customer taps the first button after 30 seconds.',
    send({ inbound: { after: '30s', button: 1 } }),
  ),
  magic(
    '72',
    'answers_stop',
    'The customer replies "STOP" after 30 seconds.',
    send({ inbound: { after: '30s', text: 'STOP' } }),
  ),
  magic(
    '80',
    'badly_signed',
    'Events about this number have an invalid signature.',
    deliver({ signature: 'wrong_secret' }),
  ),
];

const review = (slot: Required<Slots>['review']): MagicRule[] => at('template.review', { review: slot });
const because = 'The template does not follow the content policy of the channel.';

export const magicTemplates: readonly Magic[] = [
  magic('_reject', 'rejected', 'Rejected after 2 hours.', review({ status: 'rejected', after: '2h', because })),
  magic('_slow', 'slow', 'Approved after 24 hours.', review({ status: 'approved', after: '24h' })),
  magic('_never', 'never', 'Stays pending.', review({ status: 'pending' })),
];

const bySuffix = new Map(magicNumbers.map((entry) => [entry.suffix, entry]));

export function magicFor(phone: string): Magic | null {
  // A fast check, because nearly every number has none.
  if (!phone.startsWith('55501', 5)) return null;
  const match = /^\+1[2-9]\d{2}55501(\d\d)$/.exec(phone);
  return match === null ? null : (bySuffix.get(match[1] ?? '') ?? null);
}

/** Undefined for most numbers. */
export function magicWindow(phone: string): 'open' | 'closed' | undefined {
  return magicFor(phone)?.rules.find(({ then }) => then.window !== undefined)?.then.window;
}

export function magicTemplateFor(name: string): Magic | null {
  return magicTemplates.find(({ suffix }) => name.endsWith(suffix)) ?? null;
}

export function magicIds(): string[] {
  return [...magicNumbers, ...magicTemplates].map(({ id }) => id);
}

/** Compiled at first use, because most runs use only a few. */
const ruleSets = new Map<Magic, RuleSet>();

export function magicRules({ phone, name }: Facts): RuleSet | null {
  const found =
    (typeof phone === 'string' ? magicFor(phone) : null) ?? (typeof name === 'string' ? magicTemplateFor(name) : null);
  if (found === null) return null;
  const known = ruleSets.get(found);
  if (known) return known;
  const { id, description } = found;
  const rules = found.rules.map((rule) => ({ ...rule, id, per: 'phone' as const, source: { file: '', line: 0 } }));
  const compiled = compileRules(rules, { by: 'magic', describe: () => description });
  ruleSets.set(found, compiled);
  return compiled;
}
