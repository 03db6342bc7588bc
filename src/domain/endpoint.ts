export type { Endpoint } from './rows.js';

/**
 * Normalises a URL: the case of the host, the default port, and the fragment, which is never sent, make no difference.
 * An unparsable URL is returned unchanged.
 */
export function addressOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const address = new URL(url);
  address.hash = '';
  return address.href;
}
