/** A message that stays at `sent`, of which an application claims that it arrived. */
import { hookOf } from '../../language/hooks.js';
import { skippedIn, type Reference } from '../facts/end-state.js';
import { unmoved } from '../faults/faults.js';
import { newsIn } from '../facts/news.js';
import type { Found, Raw } from '../facts/raw.js';
import { hasArrived, logsSo, notTo, onlySent } from './say-so.js';
import { differences } from '../facts/differences.js';
import { leaves } from '../facts/leaves.js';
import { normalForm } from '../facts/state.js';
import type { Placed, Run } from '../facts/types.js';

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
 * Finds an application that looks a message up, and then reports the same as if it had arrived, although it stays at `sent` or fails.
 * One that looks often waits until it arrives; for others, it may be enough that it was sent.
 */
export function claimedArrival(reference: Reference, found: Found, placed: Placed | null): Raw[] {
  const { said, run } = reference;
  if (placed === null || found.timedOut || found.failure !== null) return [];
  const { to } = placed.point;
  const isStuck = placed.fault.id === unmoved;
  // One that learnt that it failed is judged elsewhere.
  const isLost = placed.fault.class === 'final' && notArrived(found, to) > notArrived(run, to);
  if (!isStuck && !(isLost && newsIn(run.facts, found.facts, placed).length === 0)) return [];
  const lookups = lookupsOf(found, to);
  const more = lookups - lookupsOf(run, to);
  if (said === null) return isStuck && more >= 2 ? passedInVain(run, found, more) : [];
  const isSame = differences(said, normalForm(found.said)).length === 0 && !logsSo(reference, found);
  if (lookups === 0 || !isSame || leaves(said).some(({ value }) => typeof value === 'string' && onTheWay.test(value)))
    return [];
  // A number of messages need not mean that all of them arrived.
  const isCertain = isStuck && more >= 2 && to !== null && JSON.stringify(said).includes(to);
  const times = more >= 2 ? `${more} more times` : 'while it was under way';
  const sentence = `The message ${isStuck ? 'stayed at "sent"' : 'did not arrive'}. The application looked it up ${times}, and reports the same as after its arrival.`;
  return [{ kind: 'failure hidden', sentence, expect: null, doubt: isCertain ? null : onlySent }];
}

const maybeEnough = 'It may be enough for the test that the message was sent.';

/** Finds a test that waits for a message to arrive, and then passes all the same. A server without a state says nothing. */
function passedInVain(run: Run, { flows, output }: Found, more: number): Raw[] {
  if (flows === true || skippedIn(output) > skippedIn(run.output)) return [];
  const sentence = `The message stayed at "sent". The test looked it up ${more} more times, and passed as after its arrival.`;
  return [{ kind: 'failure hidden', sentence, expect: null, doubt: maybeEnough }];
}

/** Returns the number of messages to a customer that did not arrive, or not yet. */
const notArrived = ({ facts }: Pick<Run, 'facts'>, to: string | null): number =>
  facts.messages.filter((one) => one.to === to && !hasArrived(one.status)).length;

/** Returns how often the messages to a customer were looked up. */
function lookupsOf({ facts }: Pick<Run, 'facts'>, to: string | null): number {
  const ids = new Set(facts.messages.flatMap((one) => (one.to === to ? [one.id] : [])));
  return facts.requests.filter(
    ({ operation, path }) => hookOf(operation) === 'message.get' && ids.has(path.split('/').at(-1) ?? ''),
  ).length;
}
