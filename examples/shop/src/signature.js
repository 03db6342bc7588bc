import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether the service sent these bytes. `X-Service-Signature` is `sha256=` and the hex HMAC-SHA256 of the raw body,
 * keyed with the endpoint's whole secret. The signature covers no time, so there is no tolerance to check: an event may
 * be 23 hours late. Against replays, each event id is accepted once (inbox.js).
 * @param {string} secret
 * @param {Buffer} raw
 * @param {string | string[] | undefined} header
 */
export function isGenuine(secret, raw, header) {
  const [, digits] = /^sha256=([0-9a-f]{64})$/.exec(String(header)) ?? [];
  // The lengths are equal from here on; otherwise, a comparison in constant time would throw.
  const given = Buffer.from(digits ?? '0'.repeat(64), 'hex');
  const right = createHmac('sha256', secret).update(raw).digest();
  return timingSafeEqual(given, right) && digits !== undefined;
}
