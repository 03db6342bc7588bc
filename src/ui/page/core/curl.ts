/** A call as a line for a POSIX shell: quoted so that nothing in it is read as anything but text. */

export interface Call {
  readonly method: string;
  readonly url: string;
  /** By lower-case name. What was redacted (`***`) becomes the account's key, or a variable of the shell. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Headers that say how a call travelled and not what it said; curl makes its own. */
const travel: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'content-encoding',
  'expect',
  'te',
  'trailer',
  'upgrade',
  'proxy-connection',
]);

/** @param key of the account, in place of a redacted `authorization` */
export function curlOf({ method, url, headers, body }: Call, key: string): string {
  const parts = ['curl'];
  // Brackets and dots in an address are meant as they stand.
  if (/[[\]{}]/.test(url)) parts.push('--globoff');
  if (/\/\.{1,2}(?:[/?#]|$)/.test(url)) parts.push('--path-as-is');
  if (method === 'HEAD') parts.push('--head');
  else if (method !== 'GET' || body !== null) parts.push(`-X ${quoted(method)}`);
  const lines = [`${parts.join(' ')} ${quoted(url)}`];
  for (const [name, value] of Object.entries(headers)) {
    if (!travel.has(name)) lines.push(`-H ${headerWord(name, value, key)}`);
  }
  if (body !== null) {
    // Without a type of its own curl would call it a form.
    if (headers['content-type'] === undefined) lines.push(`-H ${quoted('content-type:')}`);
    lines.push(`--data-raw ${quoted(body)}`);
  }
  return lines.join(' \\\n  ');
}

/** A word that the shell takes as it is. Harmless ones stay bare. */
export function quoted(text: string): string {
  if (/^[\w./:=@%+,-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** What the journal redacts. Of anything else a `***` is what was sent. */
const redacted: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'x-sandbox-token',
]);

function headerWord(name: string, value: string, key: string): string {
  // A semicolon is curl's way to say that a header is empty.
  if (value === '') return quoted(`${name};`);
  const [secret, scheme = ''] = /^([A-Za-z]+ )?[^ ]{0,4}\*{3}$/.exec(value) ?? [];
  if (secret === undefined || !redacted.has(name)) return quoted(`${name}: ${value}`);
  if (name === 'authorization') return quoted(`${name}: ${scheme}${key}`);
  // Double quotes, so that the shell puts the variable in; it says so where that is not set.
  return `"${name}: ${scheme}\${${name.toUpperCase().replaceAll('-', '_')}:?}"`;
}
