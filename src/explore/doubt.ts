/** Decides when a different end state is doubtful, and says why; finds a failure that an application did not notice. */
import { outstanding, type Reference } from './end-state.js';
import { complaints, differences, leaves, normalForm, progress } from './normal-form.js';
import type { DeviationKind, Facts, Placed, Point, Run } from './types.js';

/** A message may be this much later than the end of the fault. */
export const graceMs = 10 * 60_000;

/** @returns why the deviation is doubtful, in a sentence; null if it is not */
export function doubtOf(
  kind: DeviationKind,
  reference: Reference,
  found: Run,
  placed: readonly Placed[],
): string | null {
  const known = reference.run.facts;
  if (kind === 'useless calls') return null;
  const uncertain = placed.filter(({ fault }) => fault.class === 'uncertain');
  if (kind === 'duplicate') {
    const sign = placed.some(({ point }) => point.when === 'webhook.deliver');
    return uncertain.length > 0 && sign ? 'The event that shows the outcome of the call also has a fault.' : null;
  }
  const isPaused = kind === 'endpoint lost' && found.facts.endpoints.some(({ status }) => status === 'paused');
  for (const { fault } of placed) {
    // An application can notice a pause in its list of endpoints, independent of the customers.
    const outlasted = kind === 'endpoint lost' && known.steered && lengthOf(known) > fault.lastsMs + graceMs;
    if (fault.doubt !== undefined && !outlasted) return fault.doubt;
  }
  for (const { point, fault } of uncertain) {
    const witness = witnessOf[point.kind];
    const words = fault.taken === true ? 'taken or not' : 'not taken';
    const hears = known.endpoints.some(({ events }) => (events as readonly string[]).includes(witness ?? ''));
    if (witness !== undefined && !hears)
      return `The application cannot know that the call was ${words}: it has no endpoint for ${witness}.`;
    const isSilent = kind === 'lost' && point.kind === 'message.send' && fault.taken === false;
    if (isSilent && !hasSaidSo(reference, found) && !hasWrittenSince(point, found.facts)) continue;
    if (mayGiveUp(point, found.facts))
      return 'The application cannot know whether the call was processed. It may have decided never to send twice, although an event would show the outcome.';
  }
  const before = outstanding(known);
  const cutOff = [...outstanding(found.facts)].find(([type, count]) => count > (before.get(type) ?? 0));
  if (cutOff !== undefined && kind !== 'never settles') {
    return `The story ended before a delivery of ${cutOff[0]} was retried. Let it last longer than the retry.`;
  }
  if (isPaused && !known.steered)
    return 'The application waits in real time, so the hours after the pause are not played.';
  return null;
}

/**
 * Returns whether the application says that something failed. Giving up is then its decision, and not a silent loss.
 */
function hasSaidSo({ said, run }: Reference, found: Run): boolean {
  return (
    found.failure !== null ||
    differences(said, normalForm(found.said)).length > 0 ||
    complaints(found.said) !== complaints(run.said)
  );
}

/** Returns whether the customer wrote after the failed call. The application may then have overwritten what it said. */
function hasWrittenSince({ to }: Point, { requests, deliveries }: Facts): boolean {
  const failed = requests.find(
    ({ operation, request, status }) =>
      operation === 'sendMessage' &&
      (request.body as { to?: unknown } | null)?.to === to &&
      (status === null || status >= 500),
  );
  return deliveries.some(
    ({ event_type: type, payload, created_at: at }) =>
      type === 'message.received' && payload?.includes(`"${to}"`) === true && at > (failed?.at ?? ''),
  );
}

/** Returns whether a call is costly to repeat, so that an application may give up if its outcome is unknown. */
function mayGiveUp({ kind, to }: Point, { requests, otps }: Facts): boolean {
  if (kind === 'message.send' || kind === 'otp.verify') return true;
  const others = new Set(otps.filter((otp) => otp.to !== to).map(({ otp_id: id }) => id));
  const isChecked = requests.some(
    ({ operation, request }) =>
      operation === 'verifyOtp' && !others.has((request.body as { otp_id?: string } | null)?.otp_id ?? ''),
  );
  return kind === 'otp.send' && !isChecked;
}

const lengthOf = ({ startedAt, endedAt }: Facts): number => Date.parse(endedAt) - Date.parse(startedAt);

/** The event that shows the outcome of a call whose response was lost. */
const witnessOf: Readonly<Record<string, string>> = {
  'message.send': 'message.status',
  'otp.verify': 'otp.verified',
};

/**
 * Finds an application that received the failure of a message, and reports that the message arrived.
 * @returns what the application says, in a sentence, and why that may be doubtful
 */
export function unnoticedFailure(
  { said: expected }: Reference,
  { said: now, facts, timedOut }: Run,
  placed: readonly Placed[],
): { sentence: string; doubt: string | null } | null {
  const to = placed.find(({ point, fault }) => fault.id === 'blocked' && point.match['batch'] !== true)?.point.to;
  const messages = sentTo(facts, to);
  const [message] = messages;
  if (timedOut || messages.length !== 1 || message?.status !== 'failed' || !hasHeardOfFailure(facts, message))
    return null;
  const [before, after] = [leaves(expected), leaves(normalForm(now))];
  const isProgress = (word: unknown) => progress.includes(String(word).toLowerCase());
  if (before.length !== after.length || !before.some(({ value }) => isProgress(value))) return null;
  const same = (i: number) => before[i]?.path === after[i]?.path && before[i]?.value === after[i]?.value;
  const moved = before.flatMap(({ path, value }, i) => (same(i) ? [] : [{ path, was: value, is: after[i]?.value }]));
  if (moved.some(({ was, is }) => !isProgress(was) || !isProgress(is))) return null;
  const arrived = (word: unknown) => ['delivered', 'read'].includes(String(word).toLowerCase());
  const claims = after.filter(({ value }) => arrived(value)).length;
  const isProof = moved.length > 0 || claims > facts.messages.filter(({ status }) => arrived(status)).length;
  const says = moved[0] ? `${moved[0].path}: ${JSON.stringify(moved[0].is)}` : 'the same as if it had arrived';
  return {
    sentence: `The message to ${message.to} failed, but the application reports ${says}.`,
    doubt: isProof ? null : 'This may only mean that it sent the message.',
  };
}

function sentTo({ messages, otps }: Facts, to: string | null | undefined): Facts['messages'] {
  return messages.filter((one) => one.to === to && otps.every(({ message_id: id }) => id !== one.id));
}

function hasHeardOfFailure({ deliveries, requests }: Facts, { id }: Facts['messages'][number]): boolean {
  const tells = (text: string | null | undefined) => text?.includes(id) === true && text.includes('"failed"');
  return (
    deliveries.some(({ state, payload }) => state === 'delivered' && tells(payload)) ||
    requests.some(({ operation, response }) => operation === 'getMessage' && tells(JSON.stringify(response?.body)))
  );
}
