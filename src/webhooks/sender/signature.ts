import { createHmac, timingSafeEqual } from 'node:crypto';

/** The request header that carries the signature (interface document, section 5). */
export const SIGNATURE_HEADER = 'X-Service-Signature';

const FORM = /^sha256=([0-9a-f]{64})$/;

/**
 * Signs a webhook body (interface document, section 5): HMAC-SHA256 of the raw bytes, hex-encoded, as `sha256=<hex>`.
 * The key is the endpoint's whole secret, its `whsec_` prefix included, as the receiver was shown it.
 * @param body the bytes that go over the wire; a string stands for its UTF-8 bytes.
 */
export function sign(secret: string, body: string | Uint8Array): string {
  return `sha256=${digest(secret, body).toString('hex')}`;
}

/**
 * Whether `header` is the signature of `rawBody` under `secret`. Anything that is not exactly `sha256=` and 64
 * lower-case hex digits (missing, doubled, padded, truncated) is not valid, and neither is anything without a
 * secret. The digests are compared in constant time.
 * @param rawBody the bytes as received, before any JSON parsing.
 * @throws TypeError for a body that is neither text nor bytes: it has been parsed already, and no signature would match it.
 */
export function verifySignature(
  secret: string,
  rawBody: string | Uint8Array,
  header: string | readonly string[] | null | undefined,
): boolean {
  if (typeof rawBody !== 'string' && !((rawBody as unknown) instanceof Uint8Array)) {
    const advice =
      'Take the raw body, before any JSON parsing (in Express: express.raw({ type: "application/json" })).';
    throw new TypeError(`verifySignature needs the body as it was received; found ${kindOf(rawBody)}. ${advice}`);
  }
  // No secret, or an empty one, is a forgotten setting on the receiver's side: anyone could sign with it.
  if (typeof secret !== 'string' || secret === '' || typeof header !== 'string') return false;
  const claimed = FORM.exec(header)?.[1];
  if (claimed === undefined) return false;
  return timingSafeEqual(Buffer.from(claimed, 'hex'), digest(secret, rawBody));
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function digest(secret: string, body: string | Uint8Array): Buffer {
  return createHmac('sha256', secret).update(body).digest();
}
