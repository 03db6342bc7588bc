/** An application that says what it does not know, or could not do: to its user, in the chat, or in its state. */
import { isDeepStrictEqual } from 'node:util';
import { customersOfChanges, differences } from '../facts/differences.js';
import { customersOf, partsOf, type Part, type Reference } from '../facts/end-state.js';
import { customersIn, leaves } from '../facts/leaves.js';
import { cutsOff } from '../faults/placed.js';
import type { Found, Raw } from '../facts/raw.js';
import { normalForm, type Json } from '../facts/state.js';
import type { Facts } from '../facts/facts.js';
import type { Placed } from '../facts/types.js';

export const passedOn = 'The application passed the error on to its user, who can ask for a code or type it again.';

export const maybeUnknown =
  'The application reports the outcome as unknown, as it may: a 503 need not mean that the call was not processed.';

const unknown = /unknown|unclear|unconfirmed|uncertain|unsure/i;

/** True if the state says that it does not know what became of the customers whom a deviation concerns. */
export function callsUnknown({ customers = [] }: Raw, { said, run }: Reference, { said: state }: Found): boolean {
  const wordsIn = (json: Json, customer: string) => {
    const of = customersIn(json, customersOf(run.facts));
    return leaves(json).filter(
      ({ names, value }) => typeof value === 'string' && unknown.test(value) && of(names).includes(customer),
    ).length;
  };
  const now = normalForm(state);
  return customers.length > 0 && customers.every((one) => wordsIn(now, one) > wordsIn(said, one));
}

export const mayRunAgain = 'The command reports the failure, and ends with an error, so its user can run it again.';

/** True for a command that ends with an error, and whose state, if it reports one, says so as well. */
export const endsWithError = ({ said }: Reference, found: Found): boolean =>
  found.exited === true &&
  found.failure !== null &&
  found.crashed !== true &&
  (said === null || differences(said, normalForm(found.said)).length > 0);

export const toldInChat = 'The application sent this customer another text, which may say that the call failed.';

/** True if the customer of the fault, whom alone a deviation concerns, got a text that they do not get without it. */
export function isTold(
  { customers = [] }: Raw,
  { run }: Reference,
  { facts }: Found,
  { point: { to } }: Placed,
): boolean {
  const usual = partsOf(run.facts, 'text');
  const isText = ({ about, where }: Part) => about === 'messages' && where['type'] === 'text' && where['to'] === to;
  const isOwn = customers.length > 0 && customers.every((one) => one === to);
  return isOwn && [...partsOf(facts, 'text').values()].some((part) => isText(part) && !usual.has(part.what));
}

export const heard =
  'The response of the check got lost, but otp.verified came and showed that the code is correct. An application that uses this event lets its user in.';

/** True if the customer lost a message, or a test failed, although an event showed that the code is correct. */
export const hasHeard = (
  { kind: what, customers = [] }: Raw,
  { facts }: Found,
  { point: { kind, to }, fault: { taken } }: Placed,
): boolean =>
  (what === 'lost' || what === 'application failed') &&
  kind === 'otp.verify' &&
  taken === true &&
  customers.every((one) => one === to) &&
  facts.deliveries.some(
    ({ event_type: event, state, payload }) =>
      event === 'otp.verified' && state === 'delivered' && to !== null && payload?.includes(to) === true,
  );

export const otherWords = 'This customer got as many messages of this template as without the fault, with other words.';

/** True if a customer who lost a message got another one of the same template instead. */
export function getsOther({ of: part }: Raw, { run }: Reference, { facts }: Found): boolean {
  const { to, template } = part?.where ?? {};
  const timesIn = ({ messages }: Facts) =>
    messages.filter((one) => one.to === to && one.template?.name === template && one.status !== 'failed').length;
  return template !== undefined && timesIn(facts) >= timesIn(run.facts);
}

export const movedOn = 'The customer answers a message that was never sent, so the state may have moved on.';

/** True if a restart cut off a reply to a message that the application had accepted, so that the message does not come again. */
export const hadAccepted = ({ facts }: Found, { point: { to }, fault }: Placed): boolean =>
  cutsOff(fault) &&
  facts.deliveries
    .filter(({ event_type: type, payload }) => type === 'message.received' && payload?.includes(to ?? '') === true)
    .every(({ state, attempts }) => state === 'delivered' && attempts.length === 1);

/** True if the customer of a call that was cut off by a restart, and not processed, writes later: the story does so in each run. */
export function answersUnsent({ facts }: Found, { point: { to, atMs }, fault }: Placed): boolean {
  const sentMs = Date.parse(facts.startedAt) + atMs;
  return (
    cutsOff(fault) &&
    fault.taken === false &&
    facts.received.some(({ from, created_at: at }) => from === to && Date.parse(at) > sentMs)
  );
}

export const maybeOfOthers = 'Other faults of the run may be all that the state shows.';

/** True if the state shows a difference about this customer alone, or they got another message. */
export function differsAbout({ said, run }: Reference, found: Found, to: string | null): boolean {
  const of = customersOfChanges(said, customersOf(run.facts));
  const usual = partsOf(run.facts, 'template');
  return (
    differences(said, normalForm(found.said)).some((change) => isDeepStrictEqual(of(change), [to])) ||
    [...partsOf(found.facts, 'template').values()].some(({ what, where }) => where['to'] === to && !usual.has(what))
  );
}

const errorsIn = ({ answers = [] }: Pick<Found, 'answers'>): number =>
  answers.filter(({ status }) => status !== null && status >= 500).length;

export const hasPassedOn = ({ run }: Reference, found: Found): boolean => errorsIn(found) > errorsIn(run);
