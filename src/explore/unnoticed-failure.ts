/** Finds an application that received the failure of a message, and reports that the message arrived. */
import type { Reference } from './end-state.js';
import { leaves, normalForm, progress } from './normal-form.js';
import type { Facts, Placed, Run } from './types.js';

/** @returns what the application says, in a sentence, and why that may be doubtful */
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
