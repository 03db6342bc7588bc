/** An application that rejects an event, so that it comes again, and then accepts it without doing what it does without the fault. */
import { hookOf } from '../../language/hooks.js';
import { toOf, type Facts } from '../facts/facts.js';
import type { Found, Raw } from '../facts/raw.js';
import type { Placed, Run } from '../facts/types.js';

/** Account milliseconds within which the message that follows an event is sent. */
const followsMs = 10_000;

export function swallowedEvent({ facts: usual }: Run, { facts, timedOut }: Found, placed: Placed | null): Raw[] {
  const { to = null, when } = placed?.point ?? {};
  if (to === null || when === 'webhook.deliver' || timedOut) return [];
  const wanted = sentTo(usual, to);
  if (sentTo(facts, to) >= wanted) return [];
  const isOwn = ({ event_type: type, payload }: Facts['deliveries'][number]) =>
    type === 'message.received' && payload?.includes(JSON.stringify(to)) === true;
  const isSwallowed = ({ attempts }: Facts['deliveries'][number]) => {
    const last = attempts.at(-1);
    const isTaken = last?.status !== null && last !== undefined && last.status < 300;
    return isTaken && attempts.some(isRejected) && !isFollowed(facts, to, Date.parse(last.at));
  };
  const event = facts.deliveries.find((one) => isOwn(one) && isSwallowed(one));
  const status = event?.attempts.find(isRejected)?.status;
  if (event === undefined || status === undefined) return [];
  const sentence = `It responded ${status} to a message of ${to}, got it again and accepted it, but sent nothing. Without the fault, ${to} gets ${wanted - sentTo(facts, to)} more.`;
  const expect = { that: 'messages' as const, where: { direction: 'outbound', to }, min: wanted };
  return [{ kind: 'lost', sentence, customers: [to], expect, doubt: null }];
}

const isRejected = ({ status }: Facts['deliveries'][number]['attempts'][number]): boolean =>
  status !== null && status >= 500;

const sentTo = ({ messages }: Facts, to: string): number =>
  messages.filter((one) => one.to === to && one.status !== 'failed').length;

const isFollowed = ({ requests }: Facts, to: string, fromMs: number): boolean =>
  requests.some(({ operation, at, request: { body } }) => {
    const afterMs = Date.parse(at) - fromMs;
    const isSend = hookOf(operation) === 'message.send' && [toOf(body)].flat().includes(to);
    return isSend && afterMs >= 0 && afterMs <= followsMs;
  });
