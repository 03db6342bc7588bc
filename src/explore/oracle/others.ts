/** Judges what a failure for one customer, or of a whole batch, does to the others. */
import type { Found, Raw } from '../facts/raw.js';
import { copiesOf, type Reference } from '../facts/end-state.js';
import { partAt } from '../facts/leaves.js';
import type { Json } from '../facts/state.js';
import type { Placed } from '../facts/types.js';

/** Returns the customers whom a fault concerns: of a batch whose call fails, all of them. */
export const concerned = ({ point: { to, recipients = [] }, fault: { rule } }: Placed): readonly unknown[] =>
  rule?.then.respond === undefined ? [to] : [to, ...recipients];

/** True if a message is like the one of the point, and to another customer. */
const isOfOthers = ({ of: part }: Raw, placed: Placed): boolean =>
  part?.about === 'messages' &&
  !concerned(placed).includes(part.where['to']) &&
  (part.where['template'] ?? null) === placed.point.template;

/** Returns whether other customers lost a message because one of them could not get it. */
export function harmsOthers(raw: Raw, placed: Placed, { failure, said, tests }: Found): boolean {
  const { point, fault } = placed;
  if (raw.kind !== 'lost' || !isOfOthers(raw, placed)) return false;
  // A failed entry of a batch must not stop the others. A story that checks each message may end with an error there.
  if (fault.rule?.then.refuse !== undefined && point.batch === true) return true;
  // A command may end with an error if it reports the state of all customers; a test may stop at the first error.
  const goesOn = failure === null || (said !== null && tests === undefined);
  // Without its template, the story continues differently for every customer.
  return goesOn && !['rejected', 'template-paused'].includes(fault.id) && point.template !== null;
}

/** True if a message that was lost follows one that fails without the fault: a command may end before it comes to that. */
export function followsFailure({ of: part }: Raw, { run: { facts }, closeness }: Reference): boolean {
  if (part?.about !== 'messages') return false;
  const [lost] = copiesOf(facts, part, closeness);
  return facts.messages.some(({ status, created_at: at }) => status === 'failed' && at < (lost?.created_at ?? ''));
}

export const maybeFallback =
  'Without the fault, a message to one of its recipients fails, and this customer may get theirs only after that.';

/** True if a message to a customer of a batch fails without the fault. */
export const hasFallback = ({ run }: Reference, { point: { recipients = [] } }: Placed): boolean =>
  run.facts.messages.some(({ to, status }) => status === 'failed' && recipients.includes(to));

export const mayGoToOthers =
  'This customer writes in the story, and may have lost their turn by that: for example, an opt-out while the next one was chosen.';

/** True if the customer of a deviation writes in the story. */
export const wrote = ({ customers = [] }: Raw, { run }: Reference): boolean =>
  run.facts.received.some(({ from }) => customers.includes(from));

/**
 * True if an entry of a list, such as of the messages of a customer, does not name that customer itself: it may be about somebody else, such as
 * the employee who is asked.
 */
function isOfNobody({ path = [] }: Raw, said: Json, customer: string): boolean {
  const depth = path.findLastIndex((_name, i) => Array.isArray(partAt(said, path.slice(0, i))));
  const entry = [path.slice(depth + 1), partAt(said, path.slice(0, depth + 1))];
  return depth >= 0 && !JSON.stringify(entry).includes(customer.slice(1));
}

/** True if the application reports that the message to another customer failed. A place that several share is about none of them. */
export const blamesOthers = (raw: Raw, { said }: Reference, placed: Placed): boolean => {
  const { kind, customers: [other, ...more] = [], got } = raw;
  return (
    kind === 'state differs' &&
    /^(failed|rejected|undeliverable)$/i.test(String(got)) &&
    placed.point.to !== null &&
    other !== undefined &&
    more.length === 0 &&
    !concerned(placed).includes(other) &&
    !isOfNobody(raw, said, other)
  );
};
