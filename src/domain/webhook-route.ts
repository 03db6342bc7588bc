import { hostNameOf } from './host-name.js';

/** One `--webhook-route`: requests for `from` go to `to` instead. */
export interface WebhookRoute {
  readonly from: {
    readonly host: string;
    /** Only this port, as written in the URL; null for any port. */
    readonly port: string | null;
    /** Without a trailing slash; empty for every path. Matches whole segments: `/hook` is not a prefix of `/hooks`. */
    readonly pathPrefix: string;
  };
  /** Its path, without a trailing slash, replaces the prefix. */
  readonly to: { readonly origin: string; readonly path: string };
}

/** An invalid `--webhook-route`; the message names the invalid text and the expected form. */
export class WebhookRouteError extends Error {
  override readonly name = 'WebhookRouteError';
  constructor(found: string, reason: string) {
    super(
      `webhook route "${found}": ${reason}. ` +
        'Write it as FROM=TO, such as https://app.example.com=http://localhost:3000 or ' +
        'https://app.example.com/hooks=http://localhost:3000/dev/hooks.',
    );
  }
}

/**
 * Parses `https://app.example.com/prefix=http://localhost:3000/other`.
 * @throws WebhookRouteError
 */
export function parseWebhookRoute(text: string): WebhookRoute {
  const fail = (reason: string): never => {
    throw new WebhookRouteError(text, reason);
  };
  const trimmed = text.trim();
  const divider = /=(?=[a-z][a-z0-9+.-]*:\/\/)/i.exec(trimmed);
  if (divider === null) {
    return fail(
      trimmed.includes('=') ? 'the part after "=" is not an absolute URL' : 'there is no "=" between two URLs',
    );
  }
  const from = parseSide('the left side', trimmed.slice(0, divider.index), ['https:'], fail);
  const to = parseSide('the right side', trimmed.slice(divider.index + 1), ['http:', 'https:'], fail);
  return {
    from: { host: hostNameOf(from), port: from.port === '' ? null : from.port, pathPrefix: trimSlash(from.pathname) },
    to: { origin: to.origin, path: trimSlash(to.pathname) },
  };
}

function parseSide(side: string, text: string, schemes: readonly string[], fail: (reason: string) => never): URL {
  if (!URL.canParse(text)) return fail(`${side}, "${text}", is not an absolute URL`);
  const url = new URL(text);
  if (!schemes.includes(url.protocol)) {
    const allowed = schemes.map((scheme) => `${scheme}//`).join(' or ');
    return fail(`${side} begins with "${url.protocol}//" where only ${allowed} is allowed`);
  }
  if (url.username !== '' || url.password !== '') return fail(`${side} contains a user name or password`);
  if (url.search !== '' || url.hash !== '')
    return fail(`${side} contains a query or fragment; only host and path are allowed`);
  return url;
}

function trimSlash(path: string): string {
  return path.replace(/\/+$/, '');
}
