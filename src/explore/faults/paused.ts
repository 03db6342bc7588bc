/** The endpoint is paused, as after a day of failed deliveries, while the application goes on. */
import { differences } from '../facts/differences.js';
import type { Reference } from '../facts/end-state.js';
import { faultsOf } from './fault-kit.js';
import { leaves } from '../facts/leaves.js';
import type { Found } from '../facts/raw.js';
import { normalForm } from '../facts/state.js';
import type { Fault, Placed } from '../facts/types.js';

export const paused: Fault = faultsOf('extra')(3, 'paused', 'goes on while its endpoint is paused', undefined, {
  pauses: true,
});

const itsState = /paus|inactive|disabled/i;

/**
 * Returns whether an endpoint may remain paused: an application that looks at its endpoints must register it again, or report that it is
 * paused. Many look only at their start.
 */
export function mayRemain({ said }: Reference, { facts, said: found }: Found, { point }: Placed): boolean {
  const pausedMs = Date.parse(facts.startedAt) + point.atMs;
  const looks = facts.requests.some(
    ({ operation, at }) => /^(?:list|create)Webhook/.test(operation ?? '') && Date.parse(at) > pausedMs,
  );
  const changes = differences(said, normalForm(found)).flatMap((one) => leaves(one.found ?? null));
  return !looks || changes.some(({ value }) => itsState.test(JSON.stringify(value)));
}
