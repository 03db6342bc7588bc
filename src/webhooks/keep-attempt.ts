import type { Attempt } from '../domain/delivery.js';
import { maxAttemptsKept } from '../domain/limits.js';
import type { AccountStore } from '../store/account-store.js';

/** Puts an attempt on record. Of a delivery that is redelivered again and again the oldest attempt goes (contract §9). Only inside a write. */
export function keepAttempt({ tables: { attempts } }: AccountStore, attempt: Attempt): void {
  attempts.insert(attempt);
  const own = attempts.list('delivery', attempt.deliveryId);
  const oldest = own.at(0);
  if (own.size > maxAttemptsKept && oldest) attempts.delete(oldest);
}
