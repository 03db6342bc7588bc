import { isShallow } from './json.js';
import { keptBody } from './limits.js';
import type { RequestRecord } from './rows.js';

export function keptText(text: string | undefined) {
  if (text === undefined) return undefined;
  return text.length > keptBody ? { text: text.slice(0, keptBody), truncated: true } : { text };
}

/** A JSON body is parsed, any other body is text; undefined without a body. */
export function bodyOf({ headers, text, truncated }: RequestRecord['request']): unknown {
  if (text === undefined || truncated === true) return text;
  const type = headers['content-type'] ?? headers['Content-Type'] ?? 'application/json';
  if (!/\bjson\b/i.test(type)) return text;
  try {
    const value: unknown = JSON.parse(text);
    // A value nested too deeply to be serialised is shown as received.
    return isShallow(value) ? value : text;
  } catch {
    return text;
  }
}

/**
 * A visible part of a key identifies it, but is not enough to use it. The journal redacts headers and queries; files
 * that leave the sandbox also have redacted bodies.
 */
export const hidden = '***';

const schemes = /^(?:proxy-|x-)?authorization$/i;

const credential =
  /^key$|token|secret|passw|pwd|credential|authorization|cookie|session|jwt|assertion|(?:^|[-_])auth(?:$|[-_])|(?:api|access|private|subscription|functions|auth|master|admin)[-_ ]?key/i;

/** Parameters that sign a URL, and therefore open it for everyone. */
const urlSignature = /(?:^|-)(?:sig|signature)$/i;

export function isCredential(name: string): boolean {
  return credential.test(name);
}

export function redactedHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const text = typeof value === 'string' ? value : value.join(', ');
    kept[name] = !credential.test(name) ? text : schemes.test(name) ? redactedKey(text) : hidden;
  }
  return kept;
}

/** Treats the first word as a scheme only if it is a known one: a key without a scheme may also contain spaces. */
function redactedKey(value: string): string {
  const [, scheme, key = ''] = /^(bearer|basic|digest|token) +(.*)$/i.exec(value) ?? [];
  if (scheme === undefined || key === '') return hidden;
  return `${scheme} ${key.length > 8 && /^bearer$/i.test(scheme) ? key.slice(0, 4) : ''}${hidden}`;
}

export function redactedQuery(query: string): string {
  if (query === '') return query;
  const parts = query.split('&').map((part) => {
    const [name = ''] = part.split('=', 1);
    const secret = part.includes('=') && [...new URLSearchParams(name).keys()].some(isParameterSecret);
    return secret ? `${name}=${hidden}` : part;
  });
  return parts.join('&');
}

function isParameterSecret(name: string): boolean {
  return isCredential(name) || urlSignature.test(name);
}

const passwordOfUrl = /(\w:\/\/[^\s/@:"]*:)[^\s/@"]+@/g;

export function redactedUrl(url: string): string {
  const [before = '', query] = url.split(/\?(.*)/s, 2);
  const place = before.replace(passwordOfUrl, `$1${hidden}@`);
  return query === undefined ? place : `${place}?${redactedQuery(query)}`;
}

const fieldOfText = /"([^"\\]{1,100})"(\s*:\s*)"((?:[^"\\]|\\.)*)"/g;

/** `"key": "INVALID_REQUEST"`: services name the codes of errors so, and no key has letters alone. */
const isWordOfKey = (name: string, value: string): boolean =>
  /^key$/i.test(name) && /^[a-z]+(?:[_. -][a-z]+)*$/i.test(value);

/** Finds secrets, Bearer keys, passwords in URLs, and JSON fields with the name of a credential. */
export function redactedText(text: string): string {
  return text
    .replace(fieldOfText, (all, name: string, colon: string, value: string) =>
      isCredential(name) && !isWordOfKey(name, value) ? `"${name}"${colon}"${hidden}"` : all,
    )
    .replace(passwordOfUrl, `$1${hidden}@`)
    .replace(/whsec_[A-Za-z0-9_+/=-]+/g, `whsec_${hidden}`)
    .replace(/\b(Bearer) +[A-Za-z0-9._~+/=-]+/g, `$1 ${hidden}`);
}
