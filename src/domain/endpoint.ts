/** A registered endpoint, and the failure streak that pauses it. */
import type { EventType } from './event.js';
import type { Row } from './row.js';

/**
 * What two spellings of one URL have in common: the case of the host, a port that is the usual one, a fragment, which is
 * never sent. A URL that no parser accepts stands for itself.
 */
export function addressOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const address = new URL(url);
  address.hash = '';
  return address.href;
}

export interface Endpoint extends Row {
  readonly url: string;
  /** How a scenario calls it. */
  readonly alias?: string;
  readonly events: readonly EventType[];
  readonly secret: string;
  readonly status: 'active' | 'paused';
  readonly pauseReason: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Start of the first failed attempt of the unbroken run, null while nothing fails. */
  readonly failingSinceMs: number | null;
  /** How often it was paused after it had been active. */
  readonly pauses?: number;
}
