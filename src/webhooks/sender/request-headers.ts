import type { IncomingHttpHeaders } from 'node:http';

/** Headers that depend on the connection and the body. */
const OURS = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/**
 * Returns the headers of a webhook request exactly as sent, so that a record can show them.
 * @param endpointUrl its user name and password, if any, become Basic authorization
 * @param host value of the `host` header
 */
export function requestHeaders(
  given: Readonly<Record<string, string>>,
  endpointUrl: string,
  host: string,
  bodyBytes: number,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { host, connection: 'keep-alive' };
  let authorized = false;
  for (const name in given) {
    const lower = name.toLowerCase();
    if (OURS.has(lower)) continue;
    if (lower === 'authorization') authorized = true;
    headers[name] = given[name] ?? '';
  }
  if (!authorized && endpointUrl.includes('@')) {
    const { username, password } = new URL(endpointUrl);
    const pair = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    if (username !== '') headers['authorization'] = `Basic ${pair.toString('base64')}`;
  }
  headers['content-length'] = String(bodyBytes);
  return headers;
}

/** Returns received headers with one value each: names in lower case, repeated headers joined. */
export function flattenHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
