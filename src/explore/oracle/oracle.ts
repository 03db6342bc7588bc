/**
 * The oracle: after a fault from which an application can recover, a run must reach the same end state as without it;
 * after any other fault, the application must say so and stop.
 */
import type { Facts } from '../facts/facts.js';
import { excuseOf } from './excuse.js';
import { customersOf, expectationOf, partsOf, timesOf, told, type Part, type Reference } from '../facts/end-state.js';
import { hiddenFailure } from './say-so.js';
import { failedChecks } from './checks.js';
import { lasts } from './lasting.js';
import { blamedCode } from './blamed-code.js';
import { refusesCodes } from './refused-code.js';
import { claimedArrival, countedArrival } from './arrival.js';
import { isPassing, unmoved } from '../faults/faults.js';
import { claimedByName } from './named-claim.js';
import { registersLate, unheard } from './late.js';
import { openCall } from './open-call.js';
import { sentAfterOptOut } from '../faults/opt-out.js';
import { sentNoNewCode } from '../faults/new-code.js';
import { usesOfNothing } from './nothing.js';
import { tookOtherError } from './other-error.js';
import { addedIn } from '../faults/placed.js';
import { isCall } from '../faults/points.js';
import type { Found, Raw } from '../facts/raw.js';
import { requiredMessage } from './required.js';
import { swallowedEvent } from './swallowed.js';
import { sentWhenRejected } from './rejected-template.js';
import { listAt, placeIn, stateAt } from '../facts/state-place.js';
import { customersOfChanges, differences } from '../facts/differences.js';
import { normalForm } from '../facts/state.js';
import type { Deviation, DeviationKind, Placed, Run } from '../facts/types.js';
import { expiredAgain, uselessCalls } from './useless-calls.js';

interface Judgement {
  readonly deviations: Deviation[];
  /** Differences that the fault explains, in sentences. */
  readonly allowed: string[];
}

/**
 * Also for a run without a fault.
 * @param group all faults of the run: what concerns only the customer of another one is judged there
 */
export function judgementOf(
  reference: Reference,
  found: Found,
  own: Placed | null,
  group: readonly Placed[] = [],
): Judgement {
  const others = group.filter((one) => one !== own);
  const leaving = others.filter((one) => !isPassing(one)).map((one) => ({ ...one, isBeside: true }));
  const placed = own && { ...own, isBeside: leaving.length > 0 };
  const useless = uselessCalls(reference.run, found);
  // It might go on with these indefinitely, so it was stopped.
  const end = found.timedOut && useless.length > 0 ? [] : ending(reference, found, placed);
  // What a story that ended early did not do hangs on its end.
  const isEarly = found.said === null || found.crashed === true;
  const all = [
    ...(isEarly ? end : []),
    ...parts(reference, found),
    ...said(reference, found),
    ...hiddenFailure(reference, found, placed),
    ...claimedArrival(reference, found, placed),
    ...countedArrival(reference, found, placed),
    ...claimedByName(reference, found, placed),
    ...rejectedEvent(found, placed),
    ...wronglyAccepted(reference.run, found),
    ...expiredAgain(reference.run, found, placed),
    ...sentAfterOptOut(reference.run, found, placed),
    ...blamedCode(reference.run, found, placed),
    ...refusesCodes(reference.run, found, placed),
    ...tookOtherError(reference, found, placed),
    ...sentNoNewCode(reference.run, found, placed),
    ...sentWhenRejected(reference.run, found, placed),
    ...requiredMessage(reference.run, found, placed),
    ...failedChecks(reference.run, found, placed),
    ...swallowedEvent(reference.run, found, placed),
    ...useless,
    ...usesOfNothing(reference.run, found),
    ...(isEarly ? [] : end),
  ];
  // A story that did not end says nothing of what it had not yet done.
  const isSaid = (raw: Raw) => !found.timedOut || lasts(raw, found) || raw.kind === 'never settles';
  const elsewhere = others.map(({ point }) => point.to);
  // A difference that shows no customer belongs to a fault that leaves something behind and explains it.
  const isOwn = (raw: Raw) => {
    const { customers = [], doubt } = raw;
    return customers.length > 0
      ? customers.some((one) => !elsewhere.includes(one))
      : doubt !== undefined || leaving.every((one) => excuseOf(raw, reference, found, one) !== true);
  };
  // With a message that the story does not have, everything else may be right.
  const survives = ({ kind }: Raw) => kind !== 'endpoint lost' && kind !== 'never settles' && found.crashed !== true;
  const isExtra = placed?.fault.class === 'extra';
  const judged = all
    .filter((raw) => isSaid(raw) && isOwn(raw) && !(isExtra && survives(raw)))
    .map((raw) => {
      const { kind, sentence, expect } = raw;
      const isJudged = raw.doubt !== undefined || placed === null;
      const excuse = isJudged ? (raw.doubt ?? null) : excuseOf(raw, reference, found, placed);
      const other =
        found.sentAway === true && !lasts(raw, found) ? tooLate : selectsOthers(reference.run, found, placed);
      // A difference of a run with several faults belongs to one of them only if it shows a customer.
      const isShown = others.length === 0 || (raw.customers ?? []).length > 0;
      const isOwnOnly = others.length === 0 || (raw.customers ?? []).includes(placed?.point.to ?? '');
      const told = isOwnOnly ? sentence : `${sentence} ${maybeOther}`;
      return { kind, sentence, told, expect, isShown, doubt: excuse ?? other };
    });
  return {
    deviations: judged.flatMap(({ kind, sentence, expect, doubt }) =>
      doubt === true ? [] : [{ kind, sentence, expect, doubt }],
    ),
    allowed: judged.flatMap(({ told, isShown, doubt }) => (doubt === true && isShown ? [told] : [])),
  };
}

export const deviationsOf = (...run: Parameters<typeof judgementOf>): Deviation[] => judgementOf(...run).deviations;

const maybeOther = 'Another fault of this run may be why.';

const tooLate = 'The application asked its user to wait for longer than ten seconds, which no user of a try does.';

/** Returns the doubt that a rule of the story counted a call that the fault answered, and so did not apply to its usual call. */
function selectsOthers(usual: Run, { facts }: Found, placed: Placed | null): string | null {
  const { respond, refuse } = placed?.fault.rule?.then ?? {};
  if (respond === undefined && refuse === undefined) return null;
  const before = new Map(usual.facts.picked.map(({ id, hits }) => [id, hits]));
  const isLess = ({ id, when, hits }: Facts['picked'][number]) =>
    when === placed?.point.when && hits < (before.get(id) ?? 0);
  const rule = facts.picked.find(isLess);
  if (rule === undefined) return null;
  return `The rule ${rule.id} of the story also counts the call that the fault answered, and so did not apply as without the fault.`;
}

/** Kind of deviation if a part occurs more often, or less often, than without the fault. */
const kinds: Readonly<Record<Part['about'], { readonly more?: DeviationKind; readonly less: DeviationKind }>> = {
  messages: { more: 'duplicate', less: 'lost' },
  otps: { less: 'lost' },
  templates: { less: 'state differs' },
  webhooks: { less: 'endpoint lost' },
};

function parts({ run, closeness }: Reference, { facts }: Found): Raw[] {
  const [expected, found] = [partsOf(run.facts, closeness), partsOf(facts, closeness)];
  const gottenIn = ({ messages, ...others }: Facts) =>
    partsOf({ ...others, messages: messages.filter(({ status }) => status !== 'failed') }, closeness);
  const [usually, gotten] = [gottenIn(run.facts), gottenIn(facts)];
  return [...new Map([...found, ...expected]).values()].flatMap((part): Raw[] => {
    const { about, what, value, where } = part;
    const none = typeof value === 'number' ? 0 : 'missing';
    const [wanted, got] = [expected.get(what)?.value ?? none, found.get(what)?.value ?? none];
    const isMore = wanted === none || (typeof got === 'number' && got > Number(wanted));
    const kind = isMore ? kinds[about].more : kinds[about].less;
    // A review may end meanwhile.
    if (got === wanted || kind === undefined || (wanted === 'pending' && got !== none)) return [];
    // Nobody got a message that failed, so that one may be sent again.
    const times = Number(gotten.get(what)?.value ?? 0);
    if (isMore && wanted !== none && times <= Number(wanted)) return [];
    // Nor is one lost that follows a failed one, if the customer got the first.
    if (about === 'messages' && times > 0 && times === Number(usually.get(what)?.value)) return [];
    const customers = where['to'] === undefined ? [] : [where['to']];
    const base = { of: part, customers, expect: expectationOf(part, expected) };
    const words = told({ ...part, value: got });
    return wanted === none
      ? [{ ...base, kind: 'state differs', sentence: `${words}, which does not happen without the fault.` }]
      : [{ ...base, kind, sentence: `${words} instead of ${timesOf(wanted)}.` }];
  });
}

function rejectedEvent(found: Found, placed: Placed | null): Raw[] {
  if (placed === null || (!placed.fault.emit && !placed.fault.inbound)) return [];
  const statuses = addedIn(found, placed).map((one) => one.status);
  const [status] = statuses;
  const isRejected = (one: number | null) => one !== null && one >= 400;
  if (status === undefined || !statuses.every(isRejected)) return [];
  const what = placed.fault.emit ? 'an event of an unknown type' : 'this message';
  const sentence = `It responded ${status} to ${what}, so its endpoint is paused after a day of retries.`;
  return [{ kind: 'endpoint lost', sentence, expect: null, doubt: null }];
}

/**
 * Finds that the application lets its user do what it otherwise forbids. Only the first step that gets another response shows it: later ones
 * may follow from that.
 */
function wronglyAccepted({ answers: usual = [] }: Run, { answers = [] }: Found): Raw[] {
  const i = answers.findIndex(({ status }, at) => status !== usual[at]?.status);
  const [was, is] = [usual[i]?.status ?? 0, answers[i]?.status ?? 0];
  // A further call of the story has no such step.
  if (usual[i]?.call !== answers[i]?.call || ![401, 403].includes(was) || ![200, 201, 204].includes(is)) return [];
  const sentence = `${answers[i]?.call ?? ''} got the response ${is} instead of ${was}.`;
  return [{ kind: 'state differs', sentence, expect: null, doubt: null }];
}

function said({ said: expected, run }: Reference, found: Found): Raw[] {
  if (expected === null || found.timedOut) return [];
  const now = normalForm(found.said);
  // A story that ended early has no output; its end is reported as a separate deviation.
  if (now === null && (found.failure !== null || run.failure !== null)) return [];
  const customersOfChange = customersOfChanges(expected, customersOf(run.facts));
  return differences(expected, now)
    .slice(0, 5)
    .map((change) => {
      const { path, expected: wanted, found: got } = change;
      const customers = customersOfChange(change);
      const where = path.length === 0 ? 'what it says' : placeIn(path, expected, now);
      const list = wanted === undefined ? listAt(path, expected) : null;
      const sentence =
        list === null
          ? `The application reports ${where}: ${short(got)} instead of ${short(wanted)}.`
          : `The application reports one more entry in ${list}: ${short(got)}.`;
      const grown = typeof wanted === 'number' && typeof got === 'number' && got > wanted;
      return { kind: 'state differs' as const, sentence, expect: stateAt(run.said, path), customers, path, got, grown };
    });
}

const short = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
};

function ending(reference: Reference, found: Found, placed: Placed | null): Raw[] {
  const { run, returns } = reference;
  const open = openCall(found, placed);
  if (open.length > 0) return open;
  if (found.timedOut) {
    // After several failures in a row, an application may wait longer each time; for a message that stays at sent, a command should not.
    if (placed?.fault.class === 'throttle' && (found.flows === true || placed.fault.id !== unmoved)) return [];
    const sentence = 'The story did not end: the application was still waiting or working at the time limit.';
    const late = registersLate(reference, found, placed) ? unheard : null;
    const doubt = placed !== null && mayWait(placed, returns) ? waiting : late;
    return [{ kind: 'never settles', sentence, expect: null, doubt }];
  }
  if (found.failure === null || run.failure !== null) return [];
  const base = { kind: 'application failed' as const, expect: null };
  const sentence = `It failed: ${found.failure}.`;
  // A command may end with an error after a fault that it cannot recover from, but it must not crash.
  return [{ ...base, sentence, ...(found.crashed === true && { doubt: null }) }];
}

const waiting = 'It may wait longer than a run may last. If it does, pass that time with --retry-within.';

/** True if the application may still be waiting to repeat a call. */
function mayWait({ point, fault }: Placed, returns: Reference['returns']): boolean {
  if (fault.class !== 'recoverable') return fault.class !== 'final';
  return isCall(point) && typeof returns.get(point.kind)?.accountMs !== 'number';
}
