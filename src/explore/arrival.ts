/** A message that stays at `sent`, of which an application claims that it arrived. */
import { hookOf } from '../language/hooks.js';
import type { Reference } from './end-state.js';
import { unmoved } from './faults.js';
import type { Found, Raw } from './raw.js';
import { hasArrived, logsSo, notTo, onlySent } from './say-so.js';
import { differences, leaves, normalForm } from './state.js';
import type { Placed, Run } from './types.js';

/** Words that are true of a message that was only sent. */
const onTheWay = /^(?:accepted|sent|sending|queued|pending|waiting|submitted)$/i;

/** Names of numbers that count messages, or customers, that were reached. */
const arrivals = /^(?:reached|arrived|delivered|read)$/i;

/** Finds a number of arrived messages that is right without the fault, and with it is greater than the messages that arrived. */
export function countedArrival({ said, run }: Reference, found: Found, placed: Placed | null): Raw[] {
  const { fault } = placed ?? {};
  if ((fault?.class !== 'final' && fault?.rule?.then.lifecycle === undefined) || found.timedOut) return [];
  const [usual, now] = [arrivedIn(run), arrivedIn(found)];
  const usually = new Map(leaves(said).map(({ path, value }) => [path, value]));
  const shown = leaves(normalForm(found.said)).find(
    ({ path, names, value }) => arrivals.test(names.at(-1) ?? '') && usually.get(path) === usual && Number(value) > now,
  );
  if (shown === undefined) return [];
  const sentence = `The application reports ${shown.path}: ${JSON.stringify(shown.value)}, but ${now} messages arrived.`;
  const expect = notTo(found.said, { path: shown.names, found: shown.value });
  return [{ kind: 'failure hidden', sentence, expect, doubt: null }];
}

const arrivedIn = ({ facts }: Pick<Run, 'facts'>): number =>
  facts.messages.filter(({ status }) => hasArrived(status)).length;

/**
 * Finds an application that looks a message up until it arrives, gives up when it stays at `sent`, and then reports the same as if
 * it had arrived.
 */
export function claimedArrival(reference: Reference, found: Found, placed: Placed | null): Raw[] {
  const { said, run } = reference;
  if (placed?.fault.id !== unmoved || said === null || found.timedOut || found.failure !== null) return [];
  const { to } = placed.point;
  const more = lookupsOf(found, to) - lookupsOf(run, to);
  const isSame = differences(said, normalForm(found.said)).length === 0 && !logsSo(reference, found);
  if (more < 2 || !isSame || leaves(said).some(({ value }) => typeof value === 'string' && onTheWay.test(value)))
    return [];
  // A number of messages need not mean that all of them arrived.
  const isSaid = to !== null && JSON.stringify(said).includes(to);
  const sentence = `The message stayed at "sent". The application looked it up ${more} more times, and reports the same as after its arrival.`;
  return [{ kind: 'failure hidden', sentence, expect: null, doubt: isSaid ? null : onlySent }];
}

/** Returns how often the messages to a customer were looked up. */
function lookupsOf({ facts }: Pick<Run, 'facts'>, to: string | null): number {
  const ids = new Set(facts.messages.flatMap((one) => (one.to === to ? [one.id] : [])));
  return facts.requests.filter(
    ({ operation, path }) => hookOf(operation) === 'message.get' && ids.has(path.split('/').at(-1) ?? ''),
  ).length;
}
