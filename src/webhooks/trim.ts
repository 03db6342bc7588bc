/** The event log does not grow without end (contract §9): the oldest event goes, with its deliveries and their attempts. */
import type { AccountStore } from '../store/tables/account-store.js';

/**
 * Events an account keeps. With its deliveries and attempts one may take several kilobytes: as many as this fit into the
 * memory that Node gives itself, ten times as many do not.
 */
export const maxEvents = 100_000;

/** Only inside a write. An event that is still owed to an endpoint stays, and what came after it with it. */
export function trimEvents({ tables }: AccountStore, most = maxEvents): void {
  const { events, deliveries, attempts } = tables;
  while (events.size > most) {
    const oldest = events.all().at(0);
    if (!oldest) return;
    const own = [...deliveries.list('event', oldest.id)];
    if (own.some(({ state }) => state === 'pending' || state === 'retrying')) return;
    for (const delivery of own) {
      for (const attempt of [...attempts.list('delivery', delivery.id)]) attempts.delete(attempt);
      deliveries.delete(delivery);
    }
    events.delete(oldest);
  }
}
