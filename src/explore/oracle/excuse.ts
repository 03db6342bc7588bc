/** True if a fault explains a deviation, so that it may be right. A repeated play decides everything that it can show. */
import { noLookup, swapping } from '../faults/faults.js';
import { logsSo, noState, saysSo, stillWaits } from './say-so.js';
import { isReply, maybeReply, mayNotSay, ofLater } from './unsaid.js';
import { mayRemain, paused } from '../faults/paused.js';
import { isSentUnarrived } from '../faults/control.js';
import { mayHaveStopped, wroteMeanwhile } from '../faults/opt-out.js';
import { crossing, ofCrossing } from '../faults/crossing.js';
import { mayEndEarly, ofLateness, shortStory, tooEarly, whilePaused } from './late.js';
import { noOrder, ofLateResponse } from './order.js';
import {
  blamesOthers,
  concerned,
  harmsOthers,
  followsFailure,
  hasFallback,
  maybeFallback,
  mayGoToOthers,
  wrote,
} from './others.js';
import { ofOverlap, overlap } from '../faults/overlap.js';
import type { Found, Raw } from '../facts/raw.js';
import { copiesOf, skippedIn, type Reference } from '../facts/end-state.js';
import {
  answersUnsent,
  callsUnknown,
  endsWithError,
  getsOther,
  hadAccepted,
  hasHeard,
  hasPassedOn,
  heard,
  isTold,
  maybeUnknown,
  mayRunAgain,
  movedOn,
  otherWords,
  passedOn,
  toldInChat,
} from './told.js';
import { toOf, type Facts } from '../facts/facts.js';
import type { Placed, Point } from '../facts/types.js';

/** @returns true if it does; why the deviation is doubtful, in a sentence; null if it is a break */
export function excuseOf(raw: Raw, reference: Reference, found: Found, at: Placed): true | string | null {
  const { kind } = raw;
  const placed = withFailed(at, found);
  const { point, fault } = placed;
  if (fault.id === overlap && kind === 'duplicate') return ofOverlap(raw, reference, found, placed);
  if (fault.id === crossing && kind !== 'useless calls') return ofCrossing(reference, found, placed);
  if (fault === paused && kind === 'endpoint lost') return mayRemain(reference, found, placed) ? true : null;
  // The further steps of a story may lead to anything.
  if (fault.steps !== undefined && kind !== 'useless calls') return true;
  if (fault.id === swapping && kind !== 'useless calls') return noOrder;
  if (kind === 'duplicate' && areReplies(raw, reference, found, point)) return maybeReplies;
  if (kind === 'duplicate' && isFallback(raw, placed)) return true;
  if (kind === 'duplicate')
    return fault.id === '504-taken' ? maybeOnPurpose : ofLateness(raw, reference, found, placed);
  if (kind === 'useless calls') return null;
  const excuse = byClass(raw, reference, found, placed);
  const isMissing = kind === 'lost' || (kind === 'state differs' && raw.of === undefined);
  if (excuse !== null) return excuse;
  if (!isMissing) return kind === 'state differs' ? ofLateness(raw, reference, found, placed) : null;
  if (fault.pauses === true) return whilePaused;
  const lateness = ofLateness(raw, reference, found, placed);
  if (lateness !== null) return lateness;
  if (skippedIn(found.output) > skippedIn(reference.run.output)) return maybeSkipped;
  const isHeldUp = point.when !== 'webhook.deliver' && fault.rule?.then.respond !== undefined;
  return isHeldUp && wroteMeanwhile(raw, reference, found, point) ? mayHaveStopped : null;
}

function byClass(raw: Raw, reference: Reference, found: Found, placed: Placed): true | string | null {
  const { kind, customers = [] } = raw;
  const { point, fault } = placed;
  switch (fault.class) {
    case 'throttle':
      return true;
    case 'extra':
      return null;
    case 'final':
      if (!harmsOthers(raw, placed, found) && !blamesOthers(raw, reference, placed)) return true;
      if (kind === 'lost' && wrote(raw, reference)) return mayGoToOthers;
      if (kind === 'lost' && getsOther(raw, reference, found)) return otherWords;
      if (kind === 'lost' && point.batch === true && hasFallback(reference, placed)) return maybeFallback;
      if (kind === 'lost' && endsWithError(reference, found) && followsFailure(raw, reference)) return mayRunAgain;
      break;
    case 'outage': {
      const [to = null] = customers;
      if (fault === noLookup && kind === 'state differs' && raw.of?.about === 'messages')
        return isSentUnarrived(raw.of, reference, placed) ? maybeUnaware : null;
      if (kind === 'state differs' || saysSo(reference, found, true, to)) return true;
      if (kind === 'lost' && reference.said === null) return noState;
      if (kind === 'lost' && getsOther(raw, reference, found) && saysSo(reference, found, true)) return otherWords;
      if (isFollowed(raw, reference)) return ofLater;
      const unsaid = mayNotSay(found.facts, { to, template: raw.of?.where['template'] ?? null }, false);
      if (kind === 'lost' && unsaid !== null) return unsaid;
      if (logsSo(reference, found)) return onlyInLog;
      break;
    }
    case 'uncertain': {
      if (isReplaced(raw, placed)) return fault.id === '504-taken' ? maybeOnPurpose : null;
      // A message that only waited must be named.
      const hasWaited = fault.restart !== undefined && fault.taken === false;
      if (hasWaited && isAbout(raw, placed) && stillWaits(raw, reference, found)) return shortStory(reference, point);
      // Beside other faults, the state must say so of this customer.
      const about = placed.isBeside === true ? point.to : null;
      const isSaid = kind === 'state differs' || saysSo(reference, found, isAbout(raw, placed) && !hasWaited, about);
      if (isSaid && hasHeard(raw, found, placed)) return heard;
      if (isSaid && !hasLearnt(raw, reference, found, point)) return true;
      if (isAbout(raw, placed) && !mustKnow(reference, placed))
        return 'The application cannot know the outcome of the call, and may have decided never to repeat it.';
      if (kind === 'lost' && isAbout(raw, placed) && reference.said === null) return noState;
      if (isAbout(raw, placed) && logsSo(reference, found)) return onlyInLog;
      if (isTold(raw, reference, found, placed)) return toldInChat;
      if (isAbout(raw, placed) && answersUnsent(found, placed)) return movedOn;
      if (kind === 'lost' && point.isRejected === true && isLaterThan(raw, reference, point)) return maybeFollows;
      if (isReply(raw, reference) && hadAccepted(found, placed)) return maybeReply;
      break;
    }
    case 'recoverable':
      if (fault.needsNext === true) return ofLateResponse(raw, reference, placed);
      if (point.kind.startsWith('otp.') && hasPassedOn(reference, found)) return passedOn;
      if (point.kind.startsWith('otp.') && isTold(raw, reference, found, placed)) return toldInChat;
      if (fault.id === '503' && endsWithError(reference, found)) return mayRunAgain;
      if (fault.id === '503' && point.kind === 'message.send' && callsUnknown(raw, reference, found))
        return maybeUnknown;
      if (fault.id === '503' && isReply(raw, reference)) return maybeReply;
      if (kind === 'application failed') return mayEndEarly(found, placed) ? tooEarly : null;
  }
  if (raw.grown === true && point.when !== 'webhook.deliver') return 'The number may count the attempts.';
  return shortStory(reference, point);
}

/** True if another message to the customer follows the one that was lost. */
function isFollowed({ of: part }: Raw, { run: { facts }, closeness }: Reference): boolean {
  if (part?.about !== 'messages') return false;
  const lastAt = copiesOf(facts, part, closeness).at(-1)?.created_at ?? '';
  return facts.messages.some(({ to, created_at: at }) => to === part.where['to'] && at > lastAt);
}

/** True if a message was sent only after the call of the point. */
function isLaterThan({ of: part }: Raw, { run: { facts }, closeness }: Reference, { atMs }: Point): boolean {
  const copies = part?.about === 'messages' ? copiesOf(facts, part, closeness) : [];
  return copies.some(({ created_at: at }) => Date.parse(at) - Date.parse(facts.startedAt) >= atMs);
}

const maybeFollows = 'Without the fault, the service rejects this call, and the message may be sent because of that.';

const maybeOnPurpose = 'A gateway can send a 504 for a processed call. Many applications repeat it all the same.';

const maybeReplies = 'Each of them follows another message of the customer, and may be the reply to it.';

/** True if it is a template that takes the place of another message, for which the window is closed. */
const isFallback = ({ of: part }: Raw, { point, fault }: Placed): boolean =>
  fault.rule?.then.window === 'closed' && point.template === null && part?.where['template'] !== undefined;

/** True if a customer also got a template in place of a text or file that the service had processed. */
const isReplaced = ({ kind, of: part }: Raw, { point, fault }: Placed): boolean =>
  kind === 'state differs' &&
  part?.about === 'messages' &&
  part.where['template'] !== undefined &&
  part.where['to'] === point.to &&
  point.kind === 'message.send' &&
  point.template === null &&
  fault.taken === true;

/** True if the customer wrote between any two copies of a text; after a call that failed, as often as there are copies. */
function areReplies({ of: part }: Raw, { closeness }: Reference, { facts }: Found, { when }: Point): boolean {
  if (part?.about !== 'messages' || part.where['template'] !== undefined) return false;
  const sentAt = copiesOf(facts, part, closeness).map(({ created_at: at }) => at);
  const wroteAt = facts.received.flatMap(({ from, created_at: at }) => (from === part.where['to'] ? [at] : []));
  const times = sentAt.sort();
  // A reply that waits for the repetition of its call may come after the next message.
  if (when !== 'webhook.deliver') return times.every((at, i) => wroteAt.filter((wrote) => wrote <= at).length > i);
  return times.slice(1).every((at, i) => wroteAt.some((wrote) => wrote > (times[i] ?? '') && wrote <= at));
}

const maybeSkipped = 'A test that runs without the fault was skipped, which says that it could not run.';

const maybeUnaware =
  'The application sent it because it could not look up another message. It may, if it does so whenever it does not know of an arrival.';

const onlyInLog = 'Its output may say so, but the state that it reports is the one without the fault.';

/** Adds the recipients of other batches that failed: a fault of each call to a customer rejects all that contain them. */
function withFailed(placed: Placed, { facts }: Found): Placed {
  const { recipients = [], to } = placed.point;
  const failed = facts.requests.flatMap(({ status, request: { body } }) => {
    const all = [toOf(body)].flat();
    return status !== null && status >= 400 && all.includes(to) ? all : [];
  });
  return { ...placed, point: { ...placed.point, recipients: [...recipients, ...failed] } };
}

/** True if it is what the call of the point would have led to. A message that the service has taken is not lost. */
const isAbout = ({ of: part }: Raw, placed: Placed): boolean =>
  part?.where['to'] === undefined ||
  (concerned(placed).includes(part.where['to']) &&
    (placed.point.isRejected === true ||
      ((part.where['template'] ?? null) === placed.point.template &&
        !(part.about === 'messages' && placed.fault.taken === true))));

/** True if the application repeated the creation of a template and so learnt its outcome, which it then cannot call unknown. */
function hasLearnt({ kind }: Raw, { run }: Reference, { facts }: Found, point: Point): boolean {
  const exists = ({ requests }: Facts) => requests.some(({ error }) => error === 'template_exists');
  const isConcerned = point.kind === 'template.create' && (kind === 'application failed' || kind === 'lost');
  return isConcerned && exists(facts) && !exists(run.facts);
}

/** The event that shows the outcome of a call whose response was lost. */
const witnessOf: Readonly<Record<string, string>> = {
  'message.send': 'message.status',
  'otp.verify': 'otp.verified',
};

/**
 * True if the application can learn the outcome of the call: by an event, or because it was not processed. It may decide
 * never to send twice, if it cannot know whether the customer got the message.
 */
function mustKnow({ run }: Reference, { point: { kind }, fault: { taken } }: Placed): boolean {
  const witness = witnessOf[kind];
  const hears = run.facts.endpoints.some(({ events }) => (events as readonly string[]).includes(witness ?? ''));
  if (witness !== undefined && !hears) return false;
  return taken === false || (kind !== 'message.send' && !kind.startsWith('otp.'));
}
