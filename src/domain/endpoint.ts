/** A registered endpoint, and the failure streak that pauses it. */
import { count, listOf, type Of, oneOf, optional, orNull, text, valueCheck } from './check.js';
import { eventType } from './event.js';
import { instant, oneLine, secret, uuid } from './forms.js';
import { rowFields } from './row.js';

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

const httpsUrl = valueCheck<string>(
  (value) => typeof value === 'string' && URL.canParse(value) && new URL(value).protocol === 'https:',
  'an absolute https:// URL',
);

export const endpointFields = {
  ...rowFields(uuid),
  url: httpsUrl,
  /** Its name in a scenario. */
  alias: optional(oneLine),
  events: listOf(eventType),
  secret,
  status: oneOf(['active', 'paused']),
  pauseReason: orNull(text),
  createdAtMs: instant,
  updatedAtMs: instant,
  /** Start of the first failed attempt of the current failure streak; null while there is none. */
  failingSinceMs: orNull(instant),
  /** Number of changes from active to paused. */
  pauses: optional(count),
};
export type Endpoint = Of<typeof endpointFields>;
