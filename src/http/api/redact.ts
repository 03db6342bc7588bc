/** What of a call's headers may be kept: enough of a key to tell two apart, never enough to use it (contract §4, journal). */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { tokenHeader } from '../guard.js';

/** Headers that hold nothing but a secret. */
const secret: ReadonlySet<string> = new Set(['cookie', 'x-api-key', tokenHeader]);
/** Headers that hold a scheme before it. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization']);

let latestRaw: readonly string[] = [];
let latestKept: Readonly<Record<string, string>> = {};

/** Clients repeat themselves: the headers of one call are mostly those of the call before, and entries then share them. */
export function redactedHeadersOf({ rawHeaders, headers }: IncomingMessage): Readonly<Record<string, string>> {
  if (!areEqual(rawHeaders, latestRaw)) {
    latestKept = redactedHeaders(headers);
    latestRaw = rawHeaders;
  }
  return latestKept;
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false;
  for (let at = 0; at < some.length; at += 1) if (some[at] !== others[at]) return false;
  return true;
}

export function redactedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    kept[name] = secret.has(name) ? '***' : credentials.has(name) ? redactedCredentials(text) : text;
  }
  return kept;
}

/** A word is taken for a scheme only when it is a known one: a key without a scheme may hold spaces too. */
function redactedCredentials(value: string): string {
  const [, scheme, key = ''] = /^(bearer|basic|digest|token) +(.*)$/i.exec(value) ?? [];
  if (scheme === undefined || key === '') return '***';
  return `${scheme} ${key.length > 8 && /^bearer$/i.test(scheme) ? key.slice(0, 4) : ''}***`;
}
