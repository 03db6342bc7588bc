/**
 * The oracle: after a fault from which an application can recover, a run must reach the same end state as without it;
 * after any other fault, the application must say so and stop.
 */
import { formatDuration } from '../time/duration.js';
import { doubtOf, isAbout } from './doubt.js';
import { sentMessages, states, times, type Reference } from './end-state.js';
import { hiddenFailure, saysSo, type Found } from './say-so.js';
import { isCall } from './points.js';
import { differences, normalForm } from './state.js';
import type { Deviation, DeviationKind, Facts, Placed, Point, Run } from './types.js';
import { uselessCalls } from './useless-calls.js';

export type Raw = Omit<Deviation, 'doubt'> & {
  /** The customer concerned, and below it the template. */
  readonly to?: string;
  readonly template?: string | null;
  /** Whether the deviation counts after every fault. */
  readonly always?: true;
  /** Whether a number is higher than without the fault. */
  readonly grown?: boolean;
  readonly doubt?: string | null;
};

/**
 * Returns all deviations after this fault, or of a run without one.
 * @param retryWithinMs the account time within which a message may be late; null if that is not known
 */
export function deviationsOf(
  reference: Reference,
  found: Found,
  placed: Placed | null,
  retryWithinMs: number | null = null,
): Deviation[] {
  const end = ending(reference, found, placed);
  // What a story that ended early did not do hangs on its end.
  const isEarly = found.said === null || found.crashed === true;
  const all = [
    ...(isEarly ? end : []),
    ...messages(reference, found, placed, retryWithinMs),
    ...codes(reference, found),
    ...templates(reference, found),
    ...endpoints(reference, found),
    ...said(reference, found),
    ...hiddenFailure(reference, found, placed),
    ...uselessCalls(reference.run, found),
    ...(isEarly ? [] : end),
  ];
  // A story that did not end says nothing of what it had not yet done.
  const isSaid = ({ kind }: Raw) => !found.timedOut || lasting.has(kind) || kind === 'never settles';
  return all.flatMap((raw) =>
    isSaid(raw) && !isExcused(raw, reference, found, placed) ? [judged(raw, reference, found, placed)] : [],
  );
}

/** Deviations that more time does not undo. */
export const lasting: ReadonlySet<DeviationKind> = new Set(['duplicate', 'useless calls', 'failure hidden']);

function judged(raw: Raw, reference: Reference, found: Found, placed: Placed | null): Deviation {
  const { kind, subject, sentence, expect } = raw;
  const doubt = raw.doubt ?? (raw.always === true || placed === null ? null : doubtOf(raw, reference, found, placed));
  return { kind, subject, sentence, expect, doubt };
}

/** Returns whether the fault explains a deviation, so that it is right. */
function isExcused(raw: Raw, reference: Reference, found: Found, placed: Placed | null): boolean {
  const { kind, always } = raw;
  if (placed === null || always === true) return false;
  if (kind === 'useless calls' || kind === 'duplicate') return false;
  switch (placed.fault.class) {
    case 'recoverable':
      return false;
    case 'throttle':
      return true;
    case 'uncertain':
      // A call without a time limit must not keep all others waiting.
      if (found.waits === true && raw.kind === 'lost' && isOfOthers(raw, placed.point)) return false;
      return kind === 'state differs' || saysSo(reference, found, isAbout(raw, placed.point));
    case 'outage':
      return kind === 'state differs' || saysSo(reference, found, true);
    case 'final':
      return !harmsOthers(raw, placed, found);
  }
}

/** Whether a message is like the one of the point, and to another customer. */
const isOfOthers = ({ to, template }: Raw, point: Point): boolean =>
  to !== undefined && to !== point.to && template === point.template;

/** Returns whether other customers lost a message because one of them could not get it. */
function harmsOthers({ kind, to, template }: Raw, { point, fault }: Placed, { failure }: Found): boolean {
  if (kind !== 'lost' || to === undefined || to === point.to) return false;
  // A failed entry of a batch must not stop the others. A story that checks each message may end with an error there.
  if (fault.id === 'entry-refused') return template === point.template;
  // Without its template, the story continues differently for every customer.
  if (failure !== null || point.kind === 'template.create' || fault.id === 'template-paused') return false;
  return template === point.template && template !== null;
}

function messages(
  { run, closeness }: Reference,
  { facts }: Found,
  placed: Placed | null,
  retryWithinMs: number | null,
): Raw[] {
  const [expected, found] = [sentMessages(run.facts, closeness), sentMessages(facts, closeness)];
  return [...new Set([...expected.keys(), ...found.keys()])].flatMap((key): Raw[] => {
    const [before, after] = [expected.get(key), found.get(key)];
    const sent = after ?? before;
    if (sent === undefined) return [];
    const [wanted, got] = [before?.atMs.length ?? 0, after?.atMs.length ?? 0];
    const base = { subject: key, to: sent.to, template: sent.template };
    const what = `${sent.content} to ${sent.to}`;
    const expect = { that: 'messages', where: sent.where, count: countOf(expected, sent.where) };
    if (wanted === 0) {
      const sentence = `${what} was sent, which does not happen without the fault.`;
      return [{ ...base, kind: 'state differs', sentence, expect }];
    }
    if (got !== wanted) {
      const sentence = `${what} was sent ${times(got)} instead of ${times(wanted)}.`;
      return [{ ...base, kind: got > wanted ? 'duplicate' : 'lost', sentence, expect }];
    }
    if (!run.facts.steered || retryWithinMs === null) return [];
    const lateMs = Math.max(...(after?.atMs ?? []).map((atMs, i) => atMs - (before?.atMs[i] ?? atMs)));
    const lastsMs = placed?.fault.lastsMs ?? 0;
    if (lateMs <= lastsMs + retryWithinMs) return [];
    const sentence = `${what} was sent ${formatDuration(lateMs)} later, though the fault lasts ${formatDuration(lastsMs)}.`;
    return [{ ...base, kind: 'late', sentence, expect: null }];
  });
}

/** Returns the count for an expectation, whose conditions may include several contents. */
function countOf(expected: ReturnType<typeof sentMessages>, where: Readonly<Record<string, string>>): number {
  const same = [...expected.values()].filter((sent) => JSON.stringify(sent.where) === JSON.stringify(where));
  return same.reduce((sum, { atMs }) => sum + atMs.length, 0);
}

/** Returns what deviates in a state that a run must reach; a higher count than expected does not deviate. */
function behind<State extends string | number>(
  stateOf: (facts: Facts) => Map<string, State>,
  deviation: (key: string, wanted: State, got: State | undefined, facts: Facts) => Raw,
) {
  return ({ run }: Reference, { facts }: Pick<Run, 'facts'>): Raw[] => {
    const found = stateOf(facts);
    return [...stateOf(run.facts)].flatMap(([key, wanted]) => {
      const got = found.get(key);
      const isReached = got === wanted || (typeof got === 'number' && got > Number(wanted));
      return isReached ? [] : [deviation(key, wanted, got, facts)];
    });
  };
}

const codes = behind(states.codes, (to, wanted, got = 0) => ({
  kind: 'lost',
  subject: `verified ${to}`,
  sentence: `A code of ${to} was verified ${times(got)} instead of ${times(wanted)}.`,
  expect: { that: 'otps', where: { to, state: 'verified' }, min: wanted },
  to,
}));

const templates = behind<string>(states.templates, (name, wanted, got = 'missing') => ({
  kind: 'state differs',
  subject: `template ${name}`,
  sentence: `The template ${name} is ${got} instead of ${wanted}.`,
  expect: { that: 'templates', where: { name, status: wanted }, min: 1 },
  template: name,
}));

const endpoints = behind(states.endpoints, (key, wanted, _got, { endpoints: all }) => {
  const state = all.some(({ status }) => status === 'paused') ? 'paused' : 'not registered';
  return {
    kind: 'endpoint lost',
    subject: `endpoint ${key}`,
    sentence: `The endpoint ${key} is ${state} at the end, so it receives no more events.`,
    expect: { that: 'webhooks', where: { status: 'active' }, min: wanted },
  };
});

function said({ said: expected, run }: Reference, found: Found): Raw[] {
  if (expected === null || found.timedOut) return [];
  const now = normalForm(found.said);
  // A story that ended early has no output; its end is reported as a deviation of its own.
  if (now === null && (found.failure !== null || run.failure !== null)) return [];
  return differences(expected, now)
    .slice(0, 5)
    .map(({ path, expected: wanted, found: got }) => {
      const where = path === '' ? 'what it says' : path;
      const sentence = `The application reports ${where}: ${short(got)} instead of ${short(wanted)}.`;
      const grown = typeof wanted === 'number' && typeof got === 'number' && got > wanted;
      return { kind: 'state differs' as const, subject: `said ${where}`, sentence, expect: null, grown };
    });
}

const short = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
};

function ending({ run, returns }: Reference, found: Found, placed: Placed | null): Raw[] {
  if (found.timedOut) {
    // After several failures in a row, an application may wait longer each time.
    if (placed?.fault.class === 'throttle') return [];
    const sentence = 'The story did not end: the application was still waiting or working at the time limit.';
    const mayWait =
      placed !== null &&
      placed.fault.class !== 'final' &&
      (placed.fault.class !== 'recoverable' ||
        (isCall(placed.point) && typeof returns.get(placed.point.kind)?.accountMs !== 'number'));
    const doubt = mayWait ? 'It may wait longer than a run may last. If it does, add --retry-within.' : null;
    return [{ kind: 'never settles', subject: 'the end', sentence, expect: null, always: true, doubt }];
  }
  if (found.failure === null || run.failure !== null) return [];
  const sentence = `It failed: ${found.failure}.`;
  // A command may end with an error after a fault that it cannot recover from, but it must not crash.
  return [
    {
      kind: 'application failed',
      subject: 'the end',
      sentence,
      expect: null,
      ...(found.crashed === true && { always: true as const }),
    },
  ];
}
