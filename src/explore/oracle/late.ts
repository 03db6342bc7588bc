/** Judges what came too late: to a test that has ended, or from an application that does one thing at a time. */
import { copiesOf, type Reference } from '../facts/end-state.js';
import type { Facts } from '../facts/facts.js';
import type { Found, Raw } from '../facts/raw.js';
import { isAnswer } from './unsaid.js';
import type { Placed, Point, Run } from '../facts/types.js';

export const whilePaused = 'Events that come while the endpoint is paused are lost.';
const behind = 'The application may do one thing at a time, and be late for this customer';
export const maybeLate = `${behind}.`;
const unwritten = `${behind}, who could not write as without the fault.`;
const answered = `${behind}, who wrote meanwhile, and so got another answer.`;
const accepted = `${behind}: a step that it rejects without the fault was accepted.`;

export const unheard = 'A customer wrote before the application had an endpoint, or the event did not arrive at once.';

type Delivery = Facts['deliveries'][number];
const isAny = () => true;
const atOnce = ({ attempts }: Delivery): boolean => attempts.length <= 1;

/** Returns the number of messages of customers of which the application got no event, or none in this way. */
function unheardIn(
  { facts: { received, deliveries } }: Pick<Run, 'facts'>,
  inThisWay: (delivery: Delivery) => boolean = isAny,
): number {
  const isHeard = (one: Delivery) =>
    one.event_type === 'message.received' && one.state === 'delivered' && inThisWay(one);
  return received.length - new Set(deliveries.filter(isHeard).map(({ event_id: id }) => id)).size;
}

export const hearsLess = (usual: Pick<Run, 'facts'>, found: Pick<Run, 'facts'>): boolean =>
  unheardIn(found) > unheardIn(usual);

/** True if it registered its endpoint so late that it missed messages, or got them by a repetition only. */
export const registersLate = ({ run }: Reference, found: Found, placed: Placed | null): boolean =>
  placed?.point.kind.startsWith('webhook.') === true && unheardIn(found, atOnce) > unheardIn(run, atOnce);

/** Returns why a deviation is doubtful that follows from being late for some customers; null if it does not. */
export function ofLateness(raw: Raw, reference: Reference, found: Found, placed: Placed): string | null {
  const { kind, customers = [] } = raw;
  const { point, fault } = placed;
  if (registersLate(reference, found, placed)) return unheard;
  // After an outage, an application must say what it did not send.
  if (fault.class === 'outage') return null;
  if (customers.length === 0 || (point.to !== null && customers.includes(point.to))) return null;
  if (kind === 'state differs' && raw.of !== undefined)
    return isAnswer(raw.of, found.facts, reference.closeness) ? answered : null;
  if (kind === 'duplicate') return acceptsMore(reference.run, found) ? accepted : null;
  return customers.every((customer) => couldNotWrite(raw, reference, found, customer)) ? unwritten : null;
}

/** True if a customer could not write, such as a code that was not sent yet, and the deviation follows from that. */
function couldNotWrite({ of: part }: Raw, { run, closeness }: Reference, { facts }: Found, customer: string): boolean {
  const [usual, now] = [run.facts, facts].map(({ received }) => received.filter(({ from }) => from === customer));
  const missing = usual?.[now?.length ?? 0];
  if (missing === undefined) return false;
  const [expected] = part?.about === 'messages' ? copiesOf(run.facts, part, closeness) : [];
  return expected === undefined || expected.created_at >= missing.created_at;
}

const acceptsMore = ({ answers: usual = [] }: Run, { answers = [] }: Found): boolean =>
  answers.some(({ status }, i) => (usual[i]?.status ?? 0) >= 400 && status !== null && status < 300);

export const tooEarly = 'The test may end before a delayed event arrives.';

/** True if the fault delays an event for a test that waits in real time, for a fixed time. */
export const mayEndEarly = ({ accounts }: Found, { point: { account }, fault }: Placed): boolean =>
  delaying.includes(fault.id) && account !== '' && accounts.some((one) => one.account === account && !one.steered);
const delaying = ['forged', 'unsigned', 'out-of-order'];

/** An application that is called now and then repeats what failed when it is called again. */
export function shortStory({ run, returns }: Reference, { atMs, when, kind }: Point): string | null {
  const { startedAt, endedAt, steered } = run.facts;
  if (!steered || when === 'webhook.deliver') return null;
  const leftMs = Date.parse(endedAt) - Date.parse(startedAt) - atMs;
  return leftMs >= (returns.get(kind)?.accountMs ?? 0)
    ? null
    : 'The story ends before the application repeats what failed. Let it last longer.';
}
