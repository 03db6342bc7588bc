import type { IncomingHttpHeaders } from 'node:http';

/** Headers that follow from the connection and the body, whatever the caller says. */
const OURS = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/**
 * The headers of a webhook request as they go over the wire, so that a record can show them exactly.
 * @param endpointUrl its user name and password, if any, become Basic authorization.
 * @param host value of the `host` header.
 */
export function wireHeaders(
  given: Readonly<Record<string, string>>,
  endpointUrl: string,
  host: string,
  bodyBytes: number,
): Readonly<Record<string, string>> {
  const theirs = Object.entries(given).filter(([name]) => !OURS.has(name.toLowerCase()));
  if (endpointUrl.includes('@') && !theirs.some(([name]) => name.toLowerCase() === 'authorization')) {
    const { username, password } = new URL(endpointUrl);
    const pair = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    if (username !== '') theirs.push(['authorization', `Basic ${pair.toString('base64')}`]);
  }
  return { host, connection: 'keep-alive', ...Object.fromEntries(theirs), 'content-length': String(bodyBytes) };
}

/** Received headers with one value each: names in lower case, repeated headers joined. */
export function flattenHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
