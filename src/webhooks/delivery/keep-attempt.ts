import { largeBodiesOf, smallBody, type Attempt } from '../../domain/delivery.js';
import { maxAttemptBytes, maxAttemptsKept } from '../../domain/limits.js';
import type { AccountStore } from '../../store/tables/account-store.js';

/**
 * Puts an attempt on record. Of a delivery that is redelivered again and again the oldest attempt goes, and where large
 * bodies take too much already, this one's are cut (contract §9). Only inside a write.
 */
export function keepAttempt({ tables: { attempts } }: AccountStore, attempt: Attempt, most = maxAttemptBytes): void {
  const large = largeBodiesOf(attempt);
  attempts.insert(large > 0 && attempts.weight + large > most ? withCutBodies(attempt) : attempt);
  const own = attempts.list('delivery', attempt.deliveryId);
  const oldest = own.at(0);
  if (own.size > maxAttemptsKept && oldest) attempts.delete(oldest);
}

function withCutBodies(attempt: Attempt): Attempt {
  const { request, response } = attempt;
  return { ...attempt, request: cut(request), ...(response && { response: cut(response) }) };
}

function cut<Part extends { readonly body: string }>(part: Part): Part {
  if (part.body.length <= smallBody) return part;
  return { ...part, body: part.body.slice(0, smallBody), truncated: true };
}
