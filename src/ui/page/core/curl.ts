export interface Call {
  readonly method: string;
  readonly path: string;
  /** A redacted `authorization` (`***`) stands for the account's key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface Site {
  readonly origin: string;
  readonly key: string;
}

export function callOf(method: string, path: string, body?: object): Call {
  return {
    method,
    path,
    headers: { authorization: 'Bearer ***', ...(body && { 'content-type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
  };
}

/** Headers that describe the connection or the browser. Clients set their own. */
const automatic =
  /^(?:host|connection|keep-alive|content-(?:length|encoding)|transfer-encoding|accept-(?:encoding|language)|expect|te|trailer|upgrade|proxy-connection|origin|referer|sec-.*)$/i;

/**
 * Returns the headers that a client has to set. The journal redacts credentials: `authorization` becomes the account's
 * key again, others are left out.
 */
export function headersOf({ headers }: Call, key: string): (readonly [name: string, value: string])[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (automatic.test(name)) return [];
    const [redacted, scheme = ''] = /^([A-Za-z]+ )?[^ ]{0,4}\*{3}$/.exec(value) ?? [];
    if (redacted === undefined) return [[name, value] as const];
    return name === 'authorization' ? [[name, scheme + key] as const] : [];
  });
}

export function exampleOf(site: Site, method: string, path: string, body?: object): string {
  return curlOf(callOf(method, path, body), site);
}

export function curlOf(call: Call, site: Site): string {
  const { method, path, body } = call;
  const url = site.origin + path;
  const headers = headersOf(call, site.key);
  const parts = ['curl'];
  // Brackets and dots in an address are literal.
  if (/[[\]{}]/.test(url)) parts.push('--globoff');
  if (/\/\.{1,2}(?:[/?#]|$)/.test(url)) parts.push('--path-as-is');
  if (method === 'HEAD') parts.push('--head');
  else if (method !== (body === null ? 'GET' : 'POST')) parts.push(`-X ${quoted(method)}`);
  const lines = [`${parts.join(' ')} ${quoted(url)}`];
  // curl needs a semicolon to send an empty header.
  for (const [name, value] of headers) lines.push(`-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`);
  if (body !== null) {
    // Without a content type, curl would declare a form.
    if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) lines.push(`-H ${quoted('content-type:')}`);
    lines.push(`--data-raw ${quoted(body)}`);
  }
  return lines.join(' \\\n  ');
}

export function quoted(text: string): string {
  if (/^[\w./:=@%+,-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Encodes a header value in UTF-8, one character per byte: `fetch` accepts nothing else. */
export function latin1(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
