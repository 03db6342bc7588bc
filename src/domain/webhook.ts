import { isIP } from 'node:net';

/** The case of the host, the default port, and the fragment, which is never sent, make no difference. */
export function addressOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const address = new URL(url);
  address.hash = '';
  return address.href;
}

/** Suffixes that public names never have, so that a name under them can only be a local one. */
const LOCAL_SUFFIXES = ['.test', '.local', '.localhost', '.internal'] as const;

/** The form for resolver and TLS: no brackets around IPv6, no dot at the end. */
export function hostNameOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** URL parsing has already normalised octal and hexadecimal spellings. */
export function isAddress(host: string): boolean {
  return isIP(host) !== 0;
}

/** `localhost` and every name under it: loopback by definition, whatever a resolver returns. */
export function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/** A name for this machine or its network: without a dot (a compose service), or with a local suffix. */
export function isLocalName(host: string): boolean {
  if (isAddress(host)) return false;
  return !host.includes('.') || LOCAL_SUFFIXES.some((suffix) => host.endsWith(suffix));
}

/** Names that container runtimes give to the host machine, such as `host.docker.internal`. */
export function isHostGatewayName(host: string): boolean {
  return /^(?:host|gateway)\.[a-z0-9-]+\.internal$/.test(host);
}

export interface WebhookRoute {
  readonly from: {
    readonly host: string;
    /** Only this port, as written in the URL; null for any port. */
    readonly port: string | null;
    /** No trailing slash; empty for every path. Matches whole segments: `/hook` is not a prefix of `/hooks`. */
    readonly pathPrefix: string;
  };
  readonly to: { readonly origin: string; readonly path: string };
}

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

/** A route with a port takes precedence over one without, then the longest path prefix, then the first one. */
export function applyRoutes(routes: readonly WebhookRoute[], url: URL): URL | null {
  let best: WebhookRoute | undefined;
  for (const route of routes) {
    if (matches(route, url) && (best === undefined || isCloser(route, best))) best = route;
  }
  if (best === undefined) return null;
  const rest = url.pathname.slice(best.from.pathPrefix.length);
  return new URL(best.to.origin + best.to.path + rest + url.search);
}

function matches({ from }: WebhookRoute, url: URL): boolean {
  if (from.host !== hostNameOf(url)) return false;
  if (from.port !== null && from.port !== url.port) return false;
  return url.pathname === from.pathPrefix || url.pathname.startsWith(`${from.pathPrefix}/`);
}

function isCloser({ from: a }: WebhookRoute, { from: b }: WebhookRoute): boolean {
  if ((a.port === null) !== (b.port === null)) return a.port !== null;
  return a.pathPrefix.length > b.pathPrefix.length;
}
