import { createHmac, timingSafeEqual } from 'node:crypto';

/** The request header that carries the signature (interface document, section 5). */
export const SIGNATURE_HEADER = 'X-Service-Signature';

const FORM = /^sha256=([0-9a-f]{64})$/;

/**
 * Signs a webhook body (interface document, section 5): HMAC-SHA256 of the raw bytes, hex-encoded, as `sha256=<hex>`.
 * The key is the endpoint's whole secret, including its `whsec_` prefix.
 * @param body the bytes to send; a string is encoded as UTF-8
 */
export function sign(secret: string, body: string | Uint8Array): string {
  return `sha256=${digest(secret, body).toString('hex')}`;
}

/**
 * Returns whether `header` is the signature of `rawBody` under `secret`. Only exactly `sha256=` and 64 lower-case hex
 * digits are valid; a missing, doubled, padded or truncated header is not, and without a secret nothing is valid. The
 * digests are compared in constant time.
 * @param rawBody the bytes as received, before any JSON parsing
 * @throws TypeError for a body that is neither text nor bytes: it has already been parsed, so no signature can match it
 */
export function verifySignature(
  secret: string,
  rawBody: string | Uint8Array,
  header: string | readonly string[] | null | undefined,
): boolean {
  if (typeof rawBody !== 'string' && !((rawBody as unknown) instanceof Uint8Array)) {
    const advice =
      'Take the raw body, before any JSON parsing (in Express: express.raw({ type: "application/json" })).';
    throw new TypeError(`verifySignature needs the body as received; found ${kindOf(rawBody)}. ${advice}`);
  }
  // Without a secret, or with an empty one, anyone could sign: the receiver's setting is missing.
  if (typeof secret !== 'string' || secret === '' || typeof header !== 'string') return false;
  const claimed = FORM.exec(header)?.[1];
  if (claimed === undefined) return false;
  return timingSafeEqual(Buffer.from(claimed, 'hex'), digest(secret, rawBody));
}

export function attemptHeaders(
  signature: string | null,
  about: Readonly<Record<HeaderName, string>>,
  names: Readonly<Record<HeaderName, string | null>>,
): Record<string, string> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json', 'User-Agent': 'messaging-sandbox' };
  if (signature !== null) headers[SIGNATURE_HEADER] = signature;
  for (const what of headerNames) {
    const name = names[what];
    if (name !== null) headers[name] = about[what];
  }
  return headers;
}

const headerNames = ['event', 'id', 'delivery', 'attempt'] as const;
type HeaderName = (typeof headerNames)[number];

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function digest(secret: string, body: string | Uint8Array): Buffer {
  return createHmac('sha256', secret).update(body).digest();
}
