/** A registered endpoint, and the failure streak that pauses it. */
import type { EventType } from './event.js';
import type { Row } from './row.js';

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

export interface Endpoint extends Row {
  readonly url: string;
  /** Its name in a scenario. */
  readonly alias?: string;
  readonly events: readonly EventType[];
  readonly secret: string;
  readonly status: 'active' | 'paused';
  readonly pauseReason: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Start of the first failed attempt of the current failure streak; null while there is none. */
  readonly failingSinceMs: number | null;
  /** Number of changes from active to paused. */
  readonly pauses?: number;
}
