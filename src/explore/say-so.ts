/** Whether an application shows that something failed: in its state, its output, its end, or by a fallback. */
import { isDeepStrictEqual } from 'node:util';
import { sentMessages, type Reference } from './end-state.js';
import type { Raw } from './oracle.js';
import { differences, leaves, linesOf, normalForm, numberless, progress, unstable, type Json } from './state.js';
import type { Facts, JournalRequest, Placed, Run } from './types.js';

export type Found = Omit<Run, 'tookMs'>;

/** @param alsoByOmission whether a part that is missing from the state says something, too */
export function saysSo({ said, lines, run }: Reference, found: Found, alsoByOmission = false): boolean {
  if (found.timedOut || found.crashed === true) return false;
  const now = normalForm(found.said);
  return (
    found.failure !== null ||
    hasNewWord(said, now) ||
    (alsoByOmission && differences(said, now).length > 0) ||
    linesOf(found.output ?? '').some((line) => !lines.has(line) && !lines.has(numberless(line))) ||
    [...sentMessages(found.facts, 'template').keys()].some((key) => !sentMessages(run.facts, 'template').has(key))
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
  const told = toldAbout(found.facts, run.facts, placed);
  // Without a state that it reports, only a call that was refused shows that it learnt of the failure.
  if (told === null || (said === null && !told.isCertain)) return [];
  const now = normalForm(found.said);
  const claim = claimOf(said, now, found.facts);
  const differing = differences(said, now);
  const isSame = differing.length === 0 && !saysSo(reference, found);
  // It only got less far, as if nothing had been reported.
  const stuck = differing.every(({ expected, found: got }) => isProgress(expected) && isProgress(got))
    ? differing[0]
    : undefined;
  if (!isSame && claim === null && stuck === undefined) return [];
  const shown = claim ?? (stuck && { path: stuck.path, value: stuck.found });
  const silent = said === null ? 'The application reports no state, so it may know of the failure.' : null;
  const unsure = told.isCertain || shown !== undefined ? null : 'The state may only mean that it sent the message.';
  const words = shown ? `${shown.path}: ${JSON.stringify(shown.value)}` : 'the same as without the fault';
  return [
    {
      kind: 'failure hidden',
      subject: 'a failure that was reported to it',
      sentence: `${told.sentence} The application reports ${words}.`,
      expect: null,
      always: true,
      // Of a message that fails later, a state may only mean that it was sent.
      doubt: silent ?? unsure,
    },
  ];
}

/** How the application learnt of the failure; null if it did not. */
function toldAbout(
  facts: Facts,
  before: Facts,
  { point, fault }: Placed,
): { sentence: string; isCertain: boolean } | null {
  const recipientOf = ({ request: { body } }: JournalRequest): unknown => (body as { to?: unknown } | null)?.to;
  const alike = (all: Facts, one: JournalRequest): number =>
    all.requests.filter(
      (other) =>
        other.error === one.error &&
        other.status === one.status &&
        isDeepStrictEqual(recipientOf(other), recipientOf(one)),
    ).length;
  const refused = facts.requests.find((request) => {
    const { status, response } = request;
    if (fault.id === 'entry-refused') return JSON.stringify(response?.body ?? null).includes('"ok":false');
    const to = recipientOf(request);
    return (
      status !== null &&
      status >= 400 &&
      status < 500 &&
      alike(facts, request) > alike(before, request) &&
      (point.to === null || to === undefined || to === point.to)
    );
  });
  if (refused) {
    const words = fault.id === 'entry-refused' ? 'a refused entry' : `${refused.status} ${refused.error ?? ''}`.trim();
    return { sentence: `It got ${words}.`, isCertain: true };
  }
  if (fault.id !== 'blocked' || point.batch === true) return null;
  const failed = facts.messages.filter(
    ({ to, status, id }) =>
      to === point.to && status === 'failed' && facts.otps.every(({ message_id: code }) => code !== id),
  );
  const [message] = failed;
  if (failed.length !== 1 || message === undefined) return null;
  const tells = (text = '') => text.includes(message.id) && text.includes('"failed"');
  const what = `The message to ${message.to} failed, as`;
  // What an application asks for, it has a use for.
  if (facts.requests.some((one) => one.operation === 'getMessage' && tells(JSON.stringify(one.response?.body)))) {
    return { sentence: `${what} it saw when it looked.`, isCertain: true };
  }
  const isHeard = facts.deliveries.some(({ state, payload }) => state === 'delivered' && tells(payload ?? ''));
  return isHeard ? { sentence: `${what} the event said.`, isCertain: false } : null;
}

const isProgress = (value: Json | undefined): boolean =>
  typeof value === 'string' && progress.includes(value.toLowerCase());

/** Finds a word by which more messages arrived than did. */
function claimOf(said: Json, now: Json, { messages }: Facts): { path: string; value: Json } | null {
  const arrived = (word: unknown) => ['delivered', 'read'].includes(String(word).toLowerCase());
  const before = leaves(said);
  const claims = leaves(now).filter(({ value }) => arrived(value));
  const isMessages = before.some(({ value }) => isProgress(value));
  if (!isMessages || claims.length <= messages.filter(({ status }) => arrived(status)).length) return null;
  return claims.at(-1) ?? null;
}
