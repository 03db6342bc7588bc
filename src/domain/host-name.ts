import { isIP } from 'node:net';

/** Suffixes that public names never have, so that a name under them can only be a local one. */
const LOCAL_SUFFIXES = ['.test', '.local', '.localhost', '.internal'] as const;

/** Returns the host of a URL in the form for resolver and TLS: no brackets around IPv6, no dot at the end. */
export function hostNameOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/**
 * Whether `host` is an IPv4 or IPv6 address rather than a name. URL parsing has already normalised octal and
 * hexadecimal spellings.
 */
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
