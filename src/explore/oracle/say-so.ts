/** True if an application shows that something failed: in its state, its output, its end, or by a fallback. */
import { isDeepStrictEqual } from 'node:util';
import type { Found, Raw } from '../facts/raw.js';
import { newsIn } from '../facts/news.js';
import { differsAbout, maybeOfOthers } from './told.js';
import { emptyPlace, messageId, onlyMissing, sentWithout } from './omission.js';
import { customersOf, partsOf, type Reference } from '../facts/end-state.js';
import { placeIn, stateAt } from '../facts/state-place.js';
import { customersOfChanges, differences, isPhone, type Difference } from '../facts/differences.js';
import { customersIn, leaves, type Leaf } from '../facts/leaves.js';
import { linesOf, normalForm, numberless, progress, unstable, type Json } from '../facts/state.js';
import type { Facts } from '../facts/facts.js';
import { mayNotSay, mayWaitFor, ofUnused } from './unsaid.js';
import type { Placed } from '../facts/types.js';

export const onlySent = 'The state may only mean that it sent the message.';
export const noState = 'The application reports no state, so it may know of the failure.';

/**
 * @param alsoByOmission whether a part that is missing from the state says something, too
 * @param about the customer of whom it must say so; words about other customers then do not count
 */
export function saysSo(
  reference: Reference,
  found: Found,
  alsoByOmission = false,
  about: string | null = null,
): boolean {
  const { said, run } = reference;
  if (found.timedOut || found.crashed === true) return false;
  const now = normalForm(found.said);
  const usual = partsOf(run.facts, 'template');
  const customers = customersOf(run.facts);
  const [ofChange, ofNow] = [customersOfChanges(said, customers), customersIn(now, customers)];
  const isOfOthers = (own: readonly string[]) => about !== null && own.length > 0 && !own.includes(about);
  const all = differences(said, now).filter((change) => !isOfOthers(ofChange(change)));
  const differing = alsoByOmission ? all : [];
  const isNoWord = ({ names, value }: Leaf) =>
    isOneOf([...progress, ...waiting], names.at(-1), value) || isOfOthers(ofNow(names));
  if (found.failure !== null || hasNewWord(said, now, isNoWord)) return true;
  // An application that reports a message as sent that does not exist hides the failure, whatever its log says.
  const isClaim = ({ expected, found: got }: Difference) =>
    isOneOf(progress, undefined, expected) && isOneOf(taken, undefined, got);
  if (differing.some(isClaim)) return false;
  return (
    differing.length > 0 ||
    // A log does not make up for a state that is the one without the fault.
    ((said === null || all.length > 0) && logsSo(reference, found)) ||
    // A fallback.
    [...partsOf(found.facts, 'template').values()].some(
      (part) => part.about === 'messages' && !usual.has(part.what) && (about === null || part.where['to'] === about),
    )
  );
}

export const logsSo = ({ lines }: Reference, { output = '' }: Found): boolean =>
  linesOf(output).some((line) => !lines.has(line) && !lines.has(numberless(line)));

/**
 * True if a state has a value where a run without faults has none, or other ones; places in lists do not count. Everything that
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
  if (placed?.fault.class !== 'final' || found.timedOut) return [];
  if (found.failure !== null && placed.isBeside !== true) return [];
  // The call also fails without the fault, so the state may be the same.
  if (placed.point.isRejected === true) return [];
  const isReviewed = placed.fault.rule?.then.review !== undefined;
  const news = newsIn(run.facts, found.facts, placed);
  const told = news.find(({ isCertain }) => isCertain) ?? news[0];
  // Without a state that it reports, only that shows that it learnt of the failure.
  if (told === undefined || (said === null && !told.isCertain)) return [];
  if (isReachedAfterAll(run.facts, found.facts, placed)) return [];
  const now = normalForm(found.said);
  const differing = differences(said, now);
  const isSame = differing.length === 0 && !saysSo(reference, found);
  // It only got less far, as if nothing had been reported. A rejected template is not approved later.
  const states = isReviewed ? [...progress, ...waiting] : progress;
  const stuck = differing.find(
    ({ path, expected, found: got }) => isOneOf(states, path.at(-1), expected) && isOneOf(states, path.at(-1), got),
  );
  const of = customersIn(now, customersOf(run.facts));
  const { to } = placed.point;
  // That another customer's message failed says nothing about this one.
  const isOfOthers = (leaf: Leaf) => to !== null && of(leaf.names).length > 0 && !of(leaf.names).includes(to);
  // That a value is missing says nothing.
  const isNoWord = (leaf: Leaf) =>
    leaf.value === null || isOneOf(states, leaf.names.at(-1), leaf.value) || isOfOthers(leaf);
  // The state is the same as without the fault; a new line of its output may be a word.
  const [arrival] = isSame && !logsSo(reference, found) ? arrivalsIn(reference, placed) : [];
  const isSent = (word: Json) => isOneOf(taken, undefined, word);
  const unnamed = sentWithout(reference, found, to, isSent, (name) => messageId.test(name));
  const arrivals = new Set(leaves(said).flatMap(({ names, value }) => (hasArrived(value) ? [names.at(-1)] : [])));
  const unarrived = () => sentWithout(reference, found, to, isSent, (name) => arrivals.has(name));
  const sure = claimOf(reference, found, to) ?? unnamed;
  if (placed.isBeside === true && sure === undefined && !differsAbout(reference, found, to)) {
    // Alone, it would be doubtful.
    if (mayNotSay(found.facts, placed.point, false) !== null) return [];
    return [{ kind: 'failure hidden', sentence: `It got ${told.words}.`, expect: null, doubt: maybeOfOthers }];
  }
  const claim = sure ?? (hasNewWord(said, now, isNoWord) ? undefined : (stuck ?? unarrived()));
  const shown = claim ?? (arrival && { path: arrival.path, found: arrival.expected });
  const isSilent = !isSame && !shown && !hasNewWord(said, now);
  const empty = isSilent ? emptyPlace(reference, found, to) : null;
  // The state need not contain the outcome of a reply.
  const listed = told.isCertain && placed.point.template !== null && !isReviewed;
  const mayLack = isSilent && empty === null && listed && !logsSo(reference, found);
  const gap = mayLack ? onlyMissing(reference, found, to) : null;
  if (!isSame && shown === undefined && empty === null && gap === null) return [];
  const same = empty === null ? 'the same as without the fault' : `nothing about ${to}, and nothing in ${empty}`;
  const without = gap && `nothing about it: ${placeIn(gap, said, now)} is missing`;
  const words = without ?? (shown ? `${placeIn(shown.path, now, said)}: ${JSON.stringify(shown.found)}` : same);
  // A test that reads the failure states by its result that all is well.
  const isTested = told.isLookedUp && found.flows !== true;
  const silent = said === null && !isTested ? noState : null;
  const unsure = told.isCertain || shown ? null : onlySent;
  const unsaid =
    ofUnused(run.facts, placed) ??
    mayWaitFor(found.facts, placed) ??
    (isReviewed || unnamed || gap ? null : mayNotSay(found.facts, placed.point, shown !== undefined));
  return [
    {
      kind: 'failure hidden',
      sentence: `It got ${told.words}. The application reports ${words}.`,
      expect: JSON.stringify(said).includes(unstable) && !shown ? null : notTo(found.said, shown),
      doubt: silent ?? unsure ?? unsaid,
    },
  ];
}

/** Returns the words about a customer's message that are others if it never arrives. */
function arrivalsIn({ said, run, controls }: Reference, { id, point: { to } }: Placed): Difference[] {
  const of = customersIn(said, customersOf(run.facts));
  const isWord = (value: Json | undefined) => typeof value === 'string' && value !== unstable;
  const isOwn = ({ path }: Difference) => to !== null && of(path).includes(to);
  const control = controls.get(id) ?? null;
  return control === null
    ? []
    : differences(said, normalForm(control.said)).filter(
        (one) => isWord(one.expected) && isWord(one.found) && isOwn(one),
      );
}

/** Returns the expectation that the application does not show this; null if it shows nothing that is the same in each run. */
export function notTo(state: unknown, shown: Pick<Difference, 'path' | 'found'> | undefined): Raw['expect'] {
  // One of several numbers may be right; what they are together is not.
  const isNumber = typeof shown?.found === 'number';
  const part = shown && stateAt(state, isNumber ? shown.path.slice(0, -1) : shown.path);
  // Entries of a list may have another order.
  if (part && (isNumber || Object.values(part['state'] as object)[0] === shown.found)) return { ...part, max: 0 };
  const all = wholeOf(state).map((path) => stateAt(state, path)?.['state']);
  return all.length === 0 || all.includes(undefined) ? null : { state: Object.assign({}, ...all) as object, max: 0 };
}

/** Returns the paths at which an application shows its state; an empty one for what a command reports. */
const wholeOf = (state: unknown): string[][] =>
  Object.keys(state ?? {}).some((name) => !name.startsWith('/'))
    ? [[]]
    : Object.keys(state ?? {}).map((name) => [name]);

const taken = progress.filter((state) => state !== 'queued');

const waiting = ['pending', 'waiting', 'scheduled', 'sending'];

/** True if it is one of these states of a message, or the number of messages in it. */
const isOneOf = (states: readonly string[], name: string | undefined, value: Json | undefined): boolean =>
  states.includes((typeof value === 'number' ? name : typeof value === 'string' ? value : '')?.toLowerCase() ?? '');

/** True if the state says of a customer that a message still waits which arrives without the fault. */
export const stillWaits = ({ customers = [] }: Raw, { said, run }: Reference, found: Found): boolean => {
  const of = customersOfChanges(said, customersOf(run.facts));
  return differences(said, normalForm(found.said)).some(
    (change) =>
      isOneOf(taken, undefined, change.expected) &&
      isOneOf(['queued', ...waiting], undefined, change.found) &&
      of(change).some((one) => customers.includes(one)),
  );
};

export const hasArrived = (word: unknown): boolean => ['delivered', 'read'].includes(String(word).toLowerCase());

/**
 * Finds a word by which more messages arrived than did: of the customer of the fault, where the state shows numbers. As many
 * words for a message count as without the fault, since a state may show it in a list and by itself.
 */
function claimOf(
  { said, run }: Reference,
  found: Found,
  to: string | null,
): Pick<Difference, 'path' | 'found'> | undefined {
  if (!leaves(said).some(({ value }) => isOneOf(progress, undefined, value))) return undefined;
  const now = normalForm(found.said);
  const customers = customersOf(run.facts);
  const claimsIn = (state: Json, customer: string | null) => {
    const of = customersIn(state, customers);
    const all = leaves(state);
    const recordOf = ({ names }: Leaf) => names.slice(0, -1).join('.');
    // A message to somebody else may name this customer, such as one to a contact person.
    const phones = all.filter(({ value }) => isPhone(value));
    const isToOther = (leaf: Leaf) => {
      const own = phones.filter((one) => recordOf(one) === recordOf(leaf)).map(({ value }) => value);
      return own.length > 0 && !own.includes(customer);
    };
    // A place that several customers share says nothing about one of them.
    const isOwn = (leaf: Leaf) =>
      customer === null || (isDeepStrictEqual(of(leaf.names), [customer]) && !isToOther(leaf));
    return all.filter((leaf) => hasArrived(leaf.value) && isOwn(leaf));
  };
  const arrivedIn = ({ messages }: Facts, customer: string | null) =>
    messages.filter(({ status, to: own }) => hasArrived(status) && (customer === null || own === customer)).length;
  const isShown = to !== null && [...claimsIn(said, to), ...claimsIn(now, to)].length > 0;
  const customer = isShown ? to : null;
  const usual = arrivedIn(run.facts, customer);
  const shown = claimsIn(said, customer).length;
  const claims = claimsIn(now, customer);
  const arrived = arrivedIn(found.facts, customer);
  // It may show one message more often than another, but at least one word goes with each that is missing.
  const most = Math.max(arrived, shown - usual + arrived);
  // A state that does not show each message may show the ones that arrived; another message may arrive instead, and be shown more often.
  const isFalse = claims.length > most && (arrived === 0 || (shown >= usual && arrived < usual));
  const claim = isFalse ? claims.at(-1) : undefined;
  return claim && { path: claim.names, found: claim.value };
}

/** True if the customer of the fault got the same as without it, such as by a further code. */
function isReachedAfterAll(usual: Facts, found: Facts, { point: { to } }: Placed): boolean {
  if (to === null) return false;
  const verified = ({ otps }: Facts) => otps.filter((one) => one.to === to && one.state === 'verified').length;
  const arrived = ({ messages }: Facts) => messages.filter((one) => one.to === to && hasArrived(one.status)).length;
  const wanted = verified(usual) + arrived(usual);
  return wanted > 0 && verified(found) >= verified(usual) && arrived(found) >= arrived(usual);
}
