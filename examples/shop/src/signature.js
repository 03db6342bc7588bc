import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether these bytes come from the service: `X-Service-Signature` is `sha256=` and the hex HMAC-SHA256 of the raw body,
 * keyed with the endpoint's whole secret.
 *
 * The signature covers no time, and there is no other header to trust, so there is no tolerance to check either: an event
 * may rightly come 23 hours late. What protects from a replay is that an event's id is taken in once (inbox.js).
 *
 * @param {string} secret
 * @param {Buffer} raw
 * @param {string | string[] | undefined} header
 */
export function isGenuine(secret, raw, header) {
  const [, digits] = /^sha256=([0-9a-f]{64})$/.exec(String(header)) ?? [];
  // The lengths are equal from here on: a comparison in constant time throws otherwise.
  const given = Buffer.from(digits ?? '0'.repeat(64), 'hex');
  const right = createHmac('sha256', secret).update(raw).digest();
  return timingSafeEqual(given, right) && digits !== undefined;
}
