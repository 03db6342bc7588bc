/** The limits of one account, one for everything that can grow. */
import { ServiceError } from './errors.js';

/** Each event is delivered to every subscribed endpoint. */
export const maxEndpoints = 1_000;
/** Each call evaluates every rule that was added at run time. */
export const maxRules = 500;
export const maxSnapshots = 100;
/** Read, it takes several times as much memory. */
export const maxSnapshotBytes = 500_000_000;
/** For one delivery: several times the retry schedule. The oldest is removed; its number is not reused. */
export const maxAttemptsKept = 200;
/** For one event and endpoint: each redelivery of the event causes an attempt of every one of them. */
export const maxCopies = 100;
/** Memory of an account's journal; beyond it the oldest entries are removed. */
export const maxJournalBytes = 64 * 1024 * 1024;
/** Memory of an account's events with their deliveries; beyond it the oldest events without a pending delivery are removed. */
export const maxEventBytes = 64 * 1024 * 1024;
/** Memory of the requests that an account's sinks received; beyond it the oldest are removed. */
export const maxSinkBytes = 64 * 1024 * 1024;
/** Memory of an account's attempts; beyond it the oldest attempts of finished deliveries are removed. */
export const maxAttemptBytes = 64 * 1024 * 1024;
/** Memory of all snapshots together, if no data directory stores them. */
export const maxSnapshotMemory = 256 * 1024 * 1024;

/**
 * Checks whether one more may be created.
 * @param what in the plural, such as `snapshots`
 * @param remedy how to free space, as a sentence
 * @throws ServiceError `limit_reached` if the limit is reached
 */
export function requireRoom(present: number, most: number, what: string, remedy: string): void {
  if (present < most) return;
  throw new ServiceError('limit_reached', `Limit reached: this account already has ${present} ${what}. ${remedy}`);
}
