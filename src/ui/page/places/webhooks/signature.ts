/**
 * Recomputes the signature of a webhook with the browser's own cryptography: HMAC-SHA256 of the raw body, keyed with
 * the whole secret including `whsec_`, written as `sha256=` and hex.
 */
import type { Attempt } from '../../core/records.js';
import { parsed } from '../../core/words.js';

/** `missing`: the header was not sent. `malformed`: it has another form. */
export type SignatureVerdict = 'matches' | 'differs' | 'missing' | 'malformed';

const form = /^sha256=[0-9a-f]{64}$/;

/** @returns null if the browser offers no cryptography, which is so outside of localhost and https */
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

export function signatureHeader({ request }: Pick<Attempt, 'request'>): string | null {
  const found = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'x-service-signature');
  return found ? String(found[1]) : null;
}

/**
 * Returns the body as signed by a receiver that parses it and serialises it again; null if the bytes are the same or
 * are not JSON.
 */
export function rewritten(body: string): string | null {
  const value = parsed(body);
  const again = value === undefined ? body : JSON.stringify(value);
  return again === body ? null : again;
}
