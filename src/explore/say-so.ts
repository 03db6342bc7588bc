/** Whether an application shows that something failed: in its state, its output, its end, or by a fallback. */
import { partsOf, type Reference } from './end-state.js';
import type { Raw } from './oracle.js';
import {
  differences,
  leaves,
  linesOf,
  normalForm,
  numberless,
  progress,
  unstable,
  type Difference,
  type Json,
  type Leaf,
} from './state.js';
import type { Facts, JournalRequest } from './facts.js';
import type { Placed, Run } from './types.js';

export type Found = Omit<Run, 'tookMs'>;

/** @param alsoByOmission whether a part that is missing from the state says something, too */
export function saysSo({ said, lines, run }: Reference, found: Found, alsoByOmission = false): boolean {
  if (found.timedOut || found.crashed === true) return false;
  const now = normalForm(found.said);
  const usual = partsOf(run.facts, 'template');
  const differing = alsoByOmission ? differences(said, now) : [];
  if (found.failure !== null || hasNewWord(said, now, ({ value }) => isOneOf(progress, undefined, value))) return true;
  // Whoever reports a message as sent that does not exist has hidden the failure, whatever a log says.
  if (
    differing.some(
      ({ expected, found: got }) => isOneOf(progress, undefined, expected) && isOneOf(taken, undefined, got),
    )
  )
    return false;
  return (
    hasNewWord(said, now) ||
    differing.length > 0 ||
    linesOf(found.output ?? '').some((line) => !lines.has(line) && !lines.has(numberless(line))) ||
    // A fallback.
    [...partsOf(found.facts, 'template').values()].some(({ about, what }) => about === 'messages' && !usual.has(what))
  );
}

/**
 * Whether a state has a value where a run without faults has none, or other ones; places in lists do not count. What
 * differs between runs without faults may say anything.
 */
function hasNewWord(said: Json, now: Json, isNone = (_leaf: Leaf) => false): boolean {
  const wordOf = ({ path, value }: Leaf) => `${path.replace(/(^|\.)\d+(?=\.|$)/g, '$1*')} ${JSON.stringify(value)}`;
  const known = new Set(leaves(said).map(wordOf));
  const others = leaves(now).filter((leaf) => !isNone(leaf));
  return JSON.stringify(said).includes(unstable) || others.some((leaf) => !known.has(wordOf(leaf)));
}

/**
 * Finds an application that learnt of a final failure, and shows nothing of it. It reports the same state as
 * without the fault, or that the message got further than it did.
 */
export function hiddenFailure(reference: Reference, found: Found, placed: Placed | null): Raw[] {
  const { said, run } = reference;
  if (placed?.fault.class !== 'final' || found.timedOut || found.failure !== null) return [];
  // What an application asks for, it has a use for.
  const isReviewed = placed.fault.rule?.then.review !== undefined;
  const certain = isReviewed
    ? reviewOf(found.facts, placed)
    : (rejectionOf(found.facts, run.facts, placed) ?? failureOf(found.facts, placed, isSeen));
  const told = certain ?? failureOf(found.facts, placed, isHeard);
  // Without a state that it reports, only that shows that it learnt of the failure.
  if (told === null || (said === null && certain === null)) return [];
  const now = normalForm(found.said);
  const differing = differences(said, now);
  const isSame = differing.length === 0 && !saysSo(reference, found);
  // It only got less far, as if nothing had been reported. A rejected template is not approved later.
  const states = isReviewed ? [...progress, ...waiting] : progress;
  const stuck = differing.find(
    ({ path, expected, found: got }) => isOneOf(states, path.at(-1), expected) && isOneOf(states, path.at(-1), got),
  );
  const shown =
    claimOf(said, now, found.facts) ??
    (hasNewWord(said, now, ({ path, value }) => isOneOf(states, path.split('.').at(-1), value)) ? undefined : stuck);
  if (!isSame && shown === undefined) return [];
  const words = shown ? `${shown.path.join('.')}: ${JSON.stringify(shown.found)}` : 'the same as without the fault';
  const silent = said === null ? 'The application reports no state, so it may know of the failure.' : null;
  const unsure = certain !== null || shown ? null : 'The state may only mean that it sent the message.';
  return [
    {
      kind: 'failure hidden',
      sentence: `${told} The application reports ${words}.`,
      expect: null,
      doubt: silent ?? unsure,
    },
  ];
}

/** Returns the rejection of a call in a sentence, if the application got one that it does not get without the fault. */
function rejectionOf(facts: Facts, before: Facts, { point, fault }: Placed): string | null {
  const recipientOf = ({ request: { body } }: JournalRequest): unknown => (body as { to?: unknown } | null)?.to;
  if (fault.id === 'entry-refused') {
    const isRejected = facts.requests.some(({ response }) =>
      JSON.stringify(response?.body ?? null).includes('"ok":false'),
    );
    return isRejected ? 'It got a rejected entry.' : null;
  }
  const keyOf = (one: JournalRequest) => JSON.stringify([one.error, one.status, recipientOf(one)]);
  const alike = (all: Facts, one: JournalRequest): number =>
    all.requests.filter((other) => keyOf(other) === keyOf(one)).length;
  const rejected = facts.requests.find((request) => {
    const { status } = request;
    const to = recipientOf(request);
    const isOfPoint = point.to === null || to === undefined || to === point.to;
    return (
      status !== null && status >= 400 && status < 500 && isOfPoint && alike(facts, request) > alike(before, request)
    );
  });
  return rejected ? `It got ${rejected.status} ${rejected.error ?? ''}`.trim() + '.' : null;
}

/** The states of a message that the service has. */
const taken = progress.filter((state) => state !== 'queued');

/** The states of a message that waits for its template. */
const waiting = ['pending', 'waiting', 'scheduled', 'sending'];

type Tells = (text?: string) => boolean;

const isSeen = ({ requests }: Facts, tells: Tells): boolean =>
  requests.some(({ method, response }) => method === 'GET' && tells(JSON.stringify(response?.body)));
const isHeard = ({ deliveries }: Facts, tells: Tells): boolean =>
  deliveries.some(({ state, payload }) => state === 'delivered' && tells(payload ?? ''));

/** Returns the failure of a message in a sentence, if the application learnt of it in this way. */
function failureOf(facts: Facts, { point, fault }: Placed, isLearnt: typeof isSeen): string | null {
  if (fault.id !== 'blocked' || point.batch === true) return null;
  const { messages, otps } = facts;
  const codes = new Set(otps.map(({ message_id: id }) => id));
  const failed = messages.filter(({ to, status, id }) => to === point.to && status === 'failed' && !codes.has(id));
  const [message] = failed;
  if (failed.length !== 1 || message === undefined) return null;
  const tells: Tells = (text = '') => text.includes(message.id) && text.includes('"failed"');
  return isLearnt(facts, tells) ? `The message to ${message.to} failed, as the application was informed.` : null;
}

/** Whether it is one of these states of a message, or the number of messages in it. */
const isOneOf = (states: readonly string[], name: string | undefined, value: Json | undefined): boolean =>
  states.includes((typeof value === 'number' ? name : typeof value === 'string' ? value : '')?.toLowerCase() ?? '');

/** Returns the rejection of a template in a sentence, if the application heard of it or saw it. */
function reviewOf(facts: Facts, { point: { template } }: Placed): string | null {
  const tells: Tells = (text = '') => text.includes(`"${template ?? ''}"`) && text.includes('"rejected"');
  const isLearnt = isSeen(facts, tells) || isHeard(facts, tells);
  return isLearnt ? `The template ${template ?? ''} was rejected, as it was informed.` : null;
}

/** Finds a word by which more messages arrived than did. */
function claimOf(said: Json, now: Json, { messages }: Facts): Pick<Difference, 'path' | 'found'> | undefined {
  const arrived = (word: unknown) => ['delivered', 'read'].includes(String(word).toLowerCase());
  const claims = leaves(now).filter(({ value }) => arrived(value));
  const isMessages = leaves(said).some(({ value }) => isOneOf(progress, undefined, value));
  const isTrue = claims.length <= messages.filter(({ status }) => arrived(status)).length;
  const claim = isMessages && !isTrue ? claims.at(-1) : undefined;
  return claim && { path: [claim.path], found: claim.value };
}
