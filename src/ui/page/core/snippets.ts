/** Writes an API call as code that can be pasted and run: for a POSIX shell, TypeScript and Python. */

export interface Call {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  /** A redacted value (`***`) stands for the account's key, or for an environment variable. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The destination and the credentials of a call. */
export interface Site {
  readonly origin: string;
  /** The account's key, in place of a redacted `authorization`. */
  readonly key: string;
}

/** Returns a call as sent by an application. */
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

/** The headers that the journal redacts. In all others, `***` is the original value (see `domain/redact.ts`). */
const redacted =
  /token|secret|passw|pwd|credential|authorization|cookie|session|jwt|assertion|(?:^|[-_])auth(?:$|[-_])|(?:api|access|private|subscription|functions|auth|master|admin)[-_ ]?key/;

interface Header {
  readonly name: string;
  readonly value: string;
  /** Environment variable that supplies the part of the value that the journal redacted. */
  readonly variable: string | null;
}

/**
 * Returns the headers that a client has to set.
 * @param key replaces a redacted `authorization`
 */
export function headersOf({ headers }: Call, key: string): Header[] {
  return Object.entries(headers).flatMap(([name, value]): Header[] => {
    if (automatic.test(name)) return [];
    const [secret, scheme = ''] = /^([A-Za-z]+ )?[^ ]{0,4}\*{3}$/.exec(value) ?? [];
    if (secret === undefined || !redacted.test(name)) return [{ name, value, variable: null }];
    if (name === 'authorization') return [{ name, value: scheme + key, variable: null }];
    return [{ name, value: scheme, variable: name.toUpperCase().replaceAll('-', '_') }];
  });
}

/** Returns a call of the account as a curl command, for an empty state. */
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
  const lines = [`${parts.join(' ')} ${quoted(url)}`, ...headers.map(curlHeader)];
  if (body !== null) {
    // Without a content type, curl would declare a form.
    if (!headers.some(({ name }) => name.toLowerCase() === 'content-type')) lines.push(`-H ${quoted('content-type:')}`);
    lines.push(`--data-raw ${quoted(body)}`);
  }
  return lines.join(' \\\n  ');
}

function curlHeader({ name, value, variable }: Header): string {
  // In double quotes, the shell inserts the variable, and reports it if it is not set.
  if (variable !== null) return `-H "${name}: ${value}\${${variable}:?}"`;
  // curl needs a semicolon to send an empty header.
  return `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`;
}

/** Quotes a word for the shell if necessary. */
export function quoted(text: string): string {
  if (/^[\w./:=@%+,-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns a module for Node.js or the browser's console. */
export function typeScriptOf(call: Call, site: Site): string {
  const { method, path, body } = call;
  const json = jsonOf(body, 2);
  const entries = headersOf(call, site.key).map(
    ({ name, value, variable }) =>
      `    ${JSON.stringify(name)}: ${literalOf(value)}${variable === null ? '' : ` + process.env.${variable}`},`,
  );
  // `fetch` would add a content type of its own for a string body.
  const bytes = body === null || json !== null ? null : `new TextEncoder().encode(${JSON.stringify(body)})`;
  const sent = json === null ? bytes : `JSON.stringify(${indented(json, '  ')})`;
  return [
    `const response = await fetch(${JSON.stringify(site.origin + path)}, {`,
    `  method: ${JSON.stringify(method)},`,
    ...(entries.length === 0 ? [] : ['  headers: {', ...entries, '  },']),
    ...(sent === null ? [] : [`  body: ${sent},`]),
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

/** Returns a Python 3 script that needs no packages. */
export function pythonOf(call: Call, site: Site): string {
  const { method, path, body } = call;
  const { protocol, host } = new URL(site.origin);
  const json = jsonOf(body, 4)?.replaceAll(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (token) => ({ true: 'True', false: 'False', null: 'None' })[token] ?? token,
  );
  const headers = headersOf(call, site.key);
  const entries = headers.map(
    ({ name, value, variable }) =>
      `        ${JSON.stringify(name)}: ${literalOf(value)}${variable === null ? '' : ` + os.environ["${variable}"]`},`,
  );
  const literal = body === null ? 'None' : `${JSON.stringify(body)}.encode()`;
  const modules = [
    'http.client',
    ...(json === undefined ? [] : ['json']),
    ...(headers.some(({ variable }) => variable !== null) ? ['os'] : []),
  ];
  return [
    `import ${modules.join(', ')}`,
    '',
    `connection = http.client.${protocol === 'https:' ? 'HTTPSConnection' : 'HTTPConnection'}(${JSON.stringify(host)})`,
    'connection.request(',
    `    ${JSON.stringify(method)},`,
    `    ${JSON.stringify(path)},`,
    `    ${json === undefined ? literal : `json.dumps(${indented(json, '    ')}).encode()`},`,
    ...(entries.length === 0 ? [] : ['    {', ...entries, '    },']),
    ')',
    'response = connection.getresponse()',
    'print(response.status, response.read().decode())',
  ].join('\n');
}

/** Returns a body over several lines; null if it would not be sent as the same value. */
function jsonOf(body: string | null, indent: number): string | null {
  // In an object literal, `__proto__` is not a property.
  if (body === null || body.includes('__proto__')) return null;
  try {
    const value: unknown = JSON.parse(body);
    const written = body.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
    return JSON.stringify(value) === written ? JSON.stringify(value, null, indent) : null;
  } catch {
    return null;
  }
}

function indented(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`);
}

/** Header values are bytes: characters outside Latin-1 are encoded in UTF-8. */
function literalOf(value: string): string {
  return JSON.stringify(headerText(value));
}

/** Encodes a header value in UTF-8, one character per byte: headers of `fetch` and of Python accept nothing else. */
export function headerText(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
