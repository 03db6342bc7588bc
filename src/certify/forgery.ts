/** Signatures that a receiver must not believe, each made from the right one. */
import { signatureHeader } from '../webhooks/delivery/faults/signature.js';
import { sign } from '../webhooks/sender/signature.js';
import type { Bench, Shipment } from './receiver-client.js';

/** The signature for these bytes; null leaves the header out. */
export type Forger = (secret: string, body: string) => string | null;

export const wrongSecret: Forger = (secret, body) => signatureHeader('wrong_secret', secret, body);
export const missing: Forger = (secret, body) => signatureHeader('missing', secret, body);
export const malformed: Forger = (secret, body) => signatureHeader('malformed', secret, body);

/** Right for the same event with one letter changed. */
export const otherBody: Forger = (secret, body) => sign(secret, body.replace('message_id', 'message_iD'));

/** The right signature up to its `count`-th hex digit, wrong from there on; as long as the right one. */
export function rightUpTo(count: number): Forger {
  return (secret, body) => {
    const right = sign(secret, body);
    const kept = 'sha256='.length + count;
    return right.slice(0, kept) + right.slice(kept).replace(/./g, (digit) => (digit === '0' ? '1' : '0'));
  };
}

/** The right signature cut off after its `count`-th hex digit. */
export function cutAfter(count: number): Forger {
  return (secret, body) => sign(secret, body).slice(0, 'sha256='.length + count);
}

/** Each forgery on an event of its own: a receiver that knew the id might answer 2xx without a look at the signature. */
export function forgeries(bench: Bench, forgers: Readonly<Record<string, Forger>>): Shipment[] {
  return Object.entries(forgers).map(([label, forge]) => {
    const event = bench.events.sample('message.received');
    return { label, event, signature: forge(bench.secret, event.body) };
  });
}
