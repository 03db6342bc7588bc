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
} from './state.js';
import type { Facts, JournalRequest } from './facts.js';
import type { Placed, Run } from './types.js';

export type Found = Omit<Run, 'tookMs'>;

/** @param alsoByOmission whether a part that is missing from the state says something, too */
export function saysSo({ said, lines, run }: Reference, found: Found, alsoByOmission = false): boolean {
  if (found.timedOut || found.crashed === true) return false;
  const now = normalForm(found.said);
  const usual = partsOf(run.facts, 'template');
  return (
    found.failure !== null ||
    hasNewWord(said, now) ||
    (alsoByOmission && differences(said, now).length > 0) ||
    linesOf(found.output ?? '').some((line) => !lines.has(line) && !lines.has(numberless(line))) ||
    // A fallback.
    [...partsOf(found.facts, 'template').values()].some(({ about, what }) => about === 'messages' && !usual.has(what))
  );
}

/**
 * Whether a state has a value where a run without faults has none, or other ones; places in lists do not count. What
 * differs between runs without faults may say anything.
 */
function hasNewWord(said: Json, now: Json): boolean {
  const words = (state: Json) =>
    leaves(state).map(({ path, value }) => `${path.replace(/(^|\.)\d+(?=\.|$)/g, '$1*')} ${JSON.stringify(value)}`);
  const known = new Set(words(said));
  return JSON.stringify(said).includes(unstable) || words(now).some((word) => !known.has(word));
}

/**
 * Finds an application that learnt of a final failure, and shows nothing of it. It reports the same state as
 * without the fault, or that the message got further than it did.
 */
export function hiddenFailure(reference: Reference, found: Found, placed: Placed | null): Raw[] {
  const { said, run } = reference;
  if (placed?.fault.class !== 'final' || found.timedOut || found.failure !== null) return [];
  // What an application asks for, it has a use for.
  const certain = rejectionOf(found.facts, run.facts, placed) ?? failureOf(found.facts, placed, isSeen);
  const told = certain ?? failureOf(found.facts, placed, isHeard);
  // Without a state that it reports, only that shows that it learnt of the failure.
  if (told === null || (said === null && certain === null)) return [];
  const now = normalForm(found.said);
  const differing = differences(said, now);
  const isSame = differing.length === 0 && !saysSo(reference, found);
  // It only got less far, as if nothing had been reported.
  const isStuck = differing.every(({ expected, found: got }) => isProgress(expected) && isProgress(got));
  const shown = claimOf(said, now, found.facts) ?? (isStuck ? differing[0] : undefined);
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

type Tells = (text?: string) => boolean;

const isSeen = ({ requests }: Facts, tells: Tells): boolean =>
  requests.some(({ operation, response }) => operation === 'getMessage' && tells(JSON.stringify(response?.body)));
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

const isProgress = (value: Json | undefined): boolean =>
  typeof value === 'string' && progress.includes(value.toLowerCase());

/** Finds a word by which more messages arrived than did. */
function claimOf(said: Json, now: Json, { messages }: Facts): Pick<Difference, 'path' | 'found'> | undefined {
  const arrived = (word: unknown) => ['delivered', 'read'].includes(String(word).toLowerCase());
  const claims = leaves(now).filter(({ value }) => arrived(value));
  const isMessages = leaves(said).some(({ value }) => isProgress(value));
  const isTrue = claims.length <= messages.filter(({ status }) => arrived(status)).length;
  const claim = isMessages && !isTrue ? claims.at(-1) : undefined;
  return claim && { path: [claim.path], found: claim.value };
}
