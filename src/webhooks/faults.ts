import { type EventParts, eventText, type Wire } from '../dialect/wire.js';
import type { DeliveryFault, Explain } from '../domain/rows.js';
import type { WebhookFault, EventType } from '../domain/words.js';
import type { WebhookEffect } from '../rules/effects.js';
import { SendFailure, type SendErrorCode } from './send-error.js';
import { Exchange, type Outcome, type SendRequest } from './exchange.js';
import { sign } from './sign.js';

export interface DeliveryPlan extends Omit<WebhookEffect, 'fault'> {
  readonly fault: DeliveryFault | null;
  readonly explain: Explain | null;
}

export const plainPlan: DeliveryPlan = {
  drop: false,
  delayMs: 0,
  copies: 1,
  holdUntil: null,
  forgedCopy: null,
  fault: null,
  explain: null,
};

export function planOf(effect: WebhookEffect, explain: Explain): DeliveryPlan {
  return { ...effect, fault: effect.fault && { ...effect.fault, by: explain }, explain };
}

export function forgedPlan(delayMs: number, signature: DeliveryFault['signature'], by: Explain | null): DeliveryPlan {
  const explain = by ?? { by: 'default', text: '' };
  const fault: DeliveryFault = { signature, body: 'forged', simulate: null, once: true, by: explain };
  return { ...plainPlan, delayMs, fault, explain };
}

export function faultsOfDelivery({ delayMs, copies, holdUntil, drop }: DeliveryPlan): WebhookFault[] {
  return [
    ...(delayMs > 0 ? ['delayed' as const] : []),
    ...(copies > 1 ? ['duplicated' as const] : []),
    ...(holdUntil === null ? [] : ['held_back' as const]),
    ...(drop ? ['dropped' as const] : []),
  ];
}

export interface SentEvent {
  readonly event: EventParts;
  readonly wire: Wire;
  readonly body: string;
}

const bodies: Readonly<Record<DeliveryFault['body'], { word?: WebhookFault; of: (sent: SentEvent) => string }>> = {
  exact: { of: ({ body }) => body },
  /** Half of the JSON with a valid signature: a receiver that trusts the signature still has to parse the body. */
  truncate: { word: 'truncated', of: ({ body }) => body.slice(0, Math.ceil(body.length / 2)) },
  reformatted: { word: 'reformatted', of: ({ body }) => reformatted(body) },
  /** An event type of a later version: receivers must respond with 2xx and continue. */
  unknown_type: {
    word: 'unknown_type',
    of: ({ wire, event }) => eventText(wire, event, unknownType(event.type)),
  },
  /** Two megabytes with a valid signature, which exceed the limits of many body parsers. */
  huge: {
    word: 'huge',
    of: ({ body }) => JSON.stringify({ ...(JSON.parse(body) as object), padding: 'x'.repeat(2 * 1024 * 1024) }),
  },
  forged: { word: 'forged', of: forged },
};

/** Null omits the header. */
const signatures: Readonly<
  Record<DeliveryFault['signature'], { word?: WebhookFault; of: (secret: string, body: string) => string | null }>
> = {
  valid: { of: sign },
  wrong_secret: { word: 'wrong_secret', of: (secret, body) => sign(`${secret}-not-yours`, body) },
  missing: { word: 'missing_signature', of: () => null },
  malformed: {
    word: 'malformed_signature',
    // A digest that is not hex and has no scheme, which a careless comparison may accept.
    of: (secret, body) =>
      sign(secret, body)
        .replace('sha256=', '')
        .replace(/[0-9a-f]{8}$/, '-zzzzzz-'),
  },
};

export function bodyToSend(mode: DeliveryFault['body'], sent: SentEvent): string {
  return bodies[mode].of(sent);
}

export function signatureHeader(mode: DeliveryFault['signature'], secret: string, body: string): string | null {
  return signatures[mode].of(secret, body);
}

export function faultsOfAttempt({ signature, body, simulate }: DeliveryFault): WebhookFault[] {
  const words = [signatures[signature].word, bodies[body].word, simulate === null ? undefined : ('simulated' as const)];
  return words.filter((word) => word !== undefined);
}

/**
 * The same JSON with legal but unusual spacing and escapes, and a valid signature over these bytes. It exposes a
 * receiver that signs a re-serialised object instead of the raw body.
 */
function reformatted(body: string): string {
  const spaced = JSON.stringify(JSON.parse(body), null, 1).replace(/^ +/gm, (indent) => '\t'.repeat(indent.length));
  // Escapes the slash and letters outside ASCII, which hardly any serialiser does.
  return spaced
    .replace(/\//g, '\\/')
    .replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A number reserved for fiction that is not a magic number. */
const stranger = '+12025550199';

/** The same event by its id and type, but with different content: a receiver that trusts it is misled. */
function forged({ wire, event }: SentEvent): string {
  return eventText(wire, { ...event, data: { ...event.data, ...forgedData[event.type](event.data) } });
}

const forgedData: Readonly<Record<EventType, (data: Record<string, unknown>) => object>> = {
  'message.received': ({ text }) => ({
    from: stranger,
    ...(typeof text === 'string' && { text: `Forged: ${text}` }),
  }),
  'message.status': () => ({
    status: 'failed',
    error: { code: 'undeliverable', message: 'Forged: the message was not delivered.', channel_code: 131026 },
  }),
  'otp.verified': () => ({ to: stranger, otp_id: '00000000-0000-4000-8000-000000000000' }),
  'template.status': ({ status }) =>
    status === 'approved'
      ? { status: 'rejected', rejection_reason: 'Forged: the template was rejected.' }
      : { status: 'approved', rejection_reason: null },
};

export function unknownType(type: string): string {
  return `${type}.not_known_yet`;
}

const failures: Readonly<Record<'refused' | 'timeout' | 'reset', readonly [SendErrorCode, string]>> = {
  refused: ['connection_refused', 'Simulated: the receiver refused the connection.'],
  timeout: ['timeout', 'Simulated: the receiver did not respond in time.'],
  reset: ['connection_reset', 'Simulated: the receiver reset the connection.'],
};

/** Takes no real time. `responded` is the receiver's actual response, if it was contacted. */
export function simulated(
  simulate: NonNullable<DeliveryFault['simulate']>,
  request: SendRequest,
  responded: Outcome | null = null,
): Outcome {
  const exchange = new Exchange(request);
  exchange.isWhole = true;
  exchange.status = typeof simulate === 'number' ? simulate : null;
  return { ...exchange.outcome(failureOf(simulate), 0), hint: simulatedHint(responded) };
}

function failureOf(simulate: NonNullable<DeliveryFault['simulate']>): SendFailure | null {
  if (typeof simulate !== 'number') return new SendFailure(...failures[simulate]);
  if (simulate >= 200 && simulate < 300) return null;
  return new SendFailure('non_2xx', `Simulated: the receiver responded with ${simulate}; only a 2xx is a success.`);
}

function simulatedHint(responded: Outcome | null): string {
  if (responded === null) return 'A rule simulates the receiver; nothing was sent.';
  const { status, error } = responded;
  const actually = status === null ? `gave no response (${error?.code ?? 'unknown'})` : `responded ${status}`;
  return `A rule simulates the outcome; the receiver got the request and ${actually}.`;
}
