/**
 * The signature of a webhook, computed again with the browser's own cryptography: HMAC-SHA256 of the raw body, keyed with
 * the whole secret, `whsec_` included, written as `sha256=` and hex.
 */
import type { Attempt } from '../../core/records.js';

/** `missing`: no such header was sent. `malformed`: it has another form. */
export type SignatureVerdict = 'matches' | 'differs' | 'missing' | 'malformed';

const form = /^sha256=[0-9a-f]{64}$/;

/** @returns null where the browser has no cryptography: it has it on localhost and https only */
export async function signatureOf(secret: string, body: string): Promise<string | null> {
  const subtle = (globalThis.crypto as Partial<typeof globalThis.crypto> | undefined)?.subtle;
  if (!subtle || secret === '') return null;
  const encoder = new TextEncoder();
  const key = await subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const digest = new Uint8Array(await subtle.sign('HMAC', key, encoder.encode(body)));
  return `sha256=${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

export function verdictOf(header: string | null, computed: string): SignatureVerdict {
  if (header === null) return 'missing';
  if (!form.test(header)) return 'malformed';
  return header === computed ? 'matches' : 'differs';
}

/** Returns the header as it was sent; case does not matter. */
export function signatureHeader({ request }: Pick<Attempt, 'request'>): string | null {
  const found = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'x-service-signature');
  return found ? String(found[1]) : null;
}

/** Returns what a receiver signs that parses the body and writes it again; null for the same bytes or a body that is not JSON. */
export function rewritten(body: string): string | null {
  try {
    const again = JSON.stringify(JSON.parse(body));
    return again === body ? null : again;
  } catch {
    return null;
  }
}
