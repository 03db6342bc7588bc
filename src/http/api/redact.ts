/** Redacts secrets of a call: enough of a key stays to tell two apart, never enough to use it. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { tokenHeader } from '../guard.js';
import { parseQuery } from './query.js';

/** Headers that hold nothing but a secret. */
const secret: ReadonlySet<string> = new Set(['cookie', 'x-api-key', tokenHeader]);
/** Headers that hold a scheme, then a secret. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization']);
/** Names of query parameters whose values are secrets, such as `control_token` and `api_key`. */
const secretName = /token|secret|passw|credential|authorization|(?:api|access|private)[-_ ]?key/i;

let latestRaw: readonly string[] = [];
let latestKept: Readonly<Record<string, string>> = {};

/** Redacts the headers of a call. Clients repeat themselves, so entries with the same headers share them. */
export function redactedHeadersOf({ rawHeaders, headers }: IncomingMessage): Readonly<Record<string, string>> {
  if (!areEqual(rawHeaders, latestRaw)) {
    latestKept = redactedHeaders(headers);
    latestRaw = rawHeaders;
  }
  return latestKept;
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, at) => text === others[at]);
}

export function redactedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    kept[name] = secret.has(name) ? '***' : credentials.has(name) ? redactedCredentials(text) : text;
  }
  return kept;
}

/** Takes a word for a scheme only when it is a known one: a key without a scheme may hold spaces too. */
function redactedCredentials(value: string): string {
  const [, scheme, key = ''] = /^(bearer|basic|digest|token) +(.*)$/i.exec(value) ?? [];
  if (scheme === undefined || key === '') return '***';
  return `${scheme} ${key.length > 8 && /^bearer$/i.test(scheme) ? key.slice(0, 4) : ''}***`;
}

/** Redacts the values of secret parameters; the rest of a query stays as it came. */
export function redactedQuery(query: string): string {
  if (query === '') return query;
  const parts = query.split('&').map((part) => {
    const [name = ''] = part.split('=', 1);
    const isSecret = part.includes('=') && Object.keys(parseQuery(name)).some((each) => secretName.test(each));
    return isSecret ? `${name}=***` : part;
  });
  return parts.join('&');
}
