/**
 * The oracle: after a fault from which an application can recover, a run must reach the same end state as without it.
 */
import { hookOf } from '../scenario/language/hooks.js';
import { formatDuration } from '../time/duration.js';
import { doubtOf, graceMs, unnoticedFailure } from './doubt.js';
import { sentMessages, states, times, type Reference } from './end-state.js';
import { differences, normalForm, plain } from './normal-form.js';
import type { Deviation, Facts, Fault, Placed, Run } from './types.js';

/** A rejected call may be repeated this often within a minute. */
const mostRepeats = 3;

/** Returns all deviations after these faults. */
export function deviationsOf(reference: Reference, found: Run, placed: readonly Placed[]): Deviation[] {
  const all = [
    ...messages(reference, found, placed),
    ...codes(reference, found),
    ...templates(reference, found),
    ...endpoints(reference, found),
    ...said(reference, found),
    ...ending(reference, found),
    ...failures(reference, found, placed),
    ...calls(reference.run.facts, found.facts),
  ];
  return all.flatMap((deviation) => judged(deviation, reference, found, placed));
}

type Raw = Omit<Deviation, 'doubt'> & {
  /** The customer concerned, and below it the template. */
  readonly to?: string;
  readonly template?: string | null;
  /** Whether the deviation counts after every fault. */
  readonly always?: true;
  readonly doubt?: string | null;
};

function messages({ run, closeness, unstable }: Reference, { facts }: Run, placed: readonly Placed[]): Raw[] {
  if (unstable.includes('messages')) return [];
  const [expected, found] = [sentMessages(run.facts, closeness), sentMessages(facts, closeness)];
  const lastsMs = Math.max(0, ...placed.map(({ fault }) => fault.lastsMs));
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
    const lateMs = Math.max(...(after?.atMs ?? []).map((atMs, i) => atMs - (before?.atMs[i] ?? atMs)));
    if (!run.facts.steered || lateMs <= lastsMs + graceMs) return [];
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
  name: keyof typeof states,
  stateOf: (facts: Facts) => Map<string, State>,
  deviation: (key: string, wanted: State, got: State | undefined, facts: Facts) => Raw,
) {
  return ({ run, unstable }: Reference, { facts }: Run): Raw[] => {
    if (unstable.includes(name)) return [];
    const found = stateOf(facts);
    return [...stateOf(run.facts)].flatMap(([key, wanted]) => {
      const got = found.get(key);
      const isReached = got === wanted || (typeof got === 'number' && got > Number(wanted));
      return isReached ? [] : [deviation(key, wanted, got, facts)];
    });
  };
}

const codes = behind('codes', states.codes, (to, wanted, got = 0) => ({
  kind: 'lost',
  subject: `verified ${to}`,
  sentence: `A code of ${to} was verified ${times(got)} instead of ${times(wanted)}.`,
  expect: { that: 'otps', where: { to, state: 'verified' }, min: wanted },
  to,
}));

const templates = behind<string>('templates', states.templates, (name, wanted, got = 'missing') => ({
  kind: 'state differs',
  subject: `template ${name}`,
  sentence: `The template ${name} is ${got} instead of ${wanted}.`,
  expect: { that: 'templates', where: { name, status: wanted }, min: 1 },
  template: name,
}));

const endpoints = behind('endpoints', states.endpoints, (key, wanted, _got, { endpoints: all }) => {
  const state = all.some(({ status }) => status === 'paused') ? 'paused' : 'not registered';
  return {
    kind: 'endpoint lost',
    subject: `endpoint ${key}`,
    sentence: `The endpoint ${key} is ${state} at the end, so it receives no more events.`,
    expect: { that: 'webhooks', where: { status: 'active' }, min: wanted },
  };
});

function said({ said: expected, run }: Reference, found: Run): Raw[] {
  if (expected === null || found.timedOut) return [];
  const now = normalForm(found.said);
  // A story that ended early has no output; its end is reported as a deviation of its own.
  if (now === null && (found.failure !== null || run.failure !== null)) return [];
  return differences(expected, now)
    .slice(0, 5)
    .map(({ path, expected: wanted, found: got }) => {
      const subject = path === '' ? 'what it says' : path;
      const sentence = `The application reports ${subject}: ${short(got)} instead of ${short(wanted)}.`;
      return {
        kind: 'state differs' as const,
        subject: `said ${subject.replace(/\[\d+\]/g, '[]')}`,
        sentence,
        expect: null,
      };
    });
}

const short = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
};

function ending({ run }: Reference, found: Run): Raw[] {
  if (found.timedOut) {
    const sentence = 'The story did not end: the application was still waiting or working at the time limit.';
    return [{ kind: 'never settles', subject: 'the end', sentence, expect: null }];
  }
  if (found.failure === null || run.failure !== null) return [];
  const sentence = `It failed: ${found.failure}.`;
  // After a final fault, a command may end with an error, but a server must not end.
  const always = found.ended === true ? { always: true as const } : {};
  return [{ kind: 'application failed', subject: 'the end', sentence, expect: null, ...always }];
}

function failures(reference: Reference, found: Run, placed: readonly Placed[]): Raw[] {
  const unnoticed = unnoticedFailure(reference, found, placed);
  if (unnoticed === null) return [];
  return [
    { kind: 'state differs', subject: 'a failure that was reported to it', expect: null, always: true, ...unnoticed },
  ];
}

/** Finds calls that cannot succeed and are repeated too often. */
function calls(expected: Facts, found: Facts): Raw[] {
  const before = repeats(expected);
  return [...repeats(found)].flatMap(([key, { count, operation, status, words }]): Raw[] => {
    if (count <= mostRepeats + (before.get(key)?.count ?? 0)) return [];
    const sentence = `${operation} was made ${count} more times within a minute after ${words}.`;
    const expect = { that: 'requests', where: { operation, status }, max: mostRepeats + 1 };
    return [{ kind: 'useless calls', subject: key, sentence, expect }];
  });
}

interface Repeated {
  count: number;
  lastMs: number;
  readonly operation: string;
  readonly status: number;
  readonly words: string;
}

/**
 * Counts, by call and response, the repetitions within a minute of the previous call, or before its Retry-After is
 * over.
 */
function repeats({ requests, steered }: Facts): Map<string, Repeated> {
  const found = new Map<string, Repeated>();
  for (const { status, path, method, request, response, at, operation } of requests) {
    if (status === null || status < 400 || status >= 500 || status === 408) continue;
    const atMs = Date.parse(at);
    const key = `${method} ${plain(path)} ${plain(JSON.stringify(request.body ?? null))} ${status}`;
    const known = found.get(key);
    const [, retryAfter] = Object.entries(response?.headers ?? {}).find(([name]) => /^retry-after$/i.test(name)) ?? [];
    const waitMs = status === 429 ? 1000 * (Number(retryAfter) || 0) : 60_000;
    if (known === undefined) {
      const words = status === 429 ? 'a 429, before its Retry-After was over' : `the response ${status}`;
      found.set(key, { count: 0, lastMs: atMs, operation: hookOf(operation) ?? `${method} ${path}`, status, words });
    } else {
      // The limit is a little lower, because the timers of an application are not exact.
      const isEarly = atMs - known.lastMs < 0.9 * waitMs;
      // While the story keeps the account's clock still, the application may have waited in real time.
      const mayHaveWaited = steered && status === 429 && atMs === known.lastMs;
      if (isEarly && !mayHaveWaited) known.count += 1;
      known.lastMs = atMs;
    }
  }
  return found;
}

/** Leaves out what the fault excuses, and adds to the rest whether it is doubtful. */
function judged(raw: Raw, reference: Reference, found: Run, placed: readonly Placed[]): Deviation[] {
  const { kind, subject, sentence, expect } = raw;
  if (raw.always) return [{ kind, subject, sentence, expect, doubt: raw.doubt ?? null }];
  const worst = (of: Fault['class']) => placed.find(({ fault }) => fault.class === of);
  if (worst('throttle') && kind !== 'useless calls' && kind !== 'duplicate') return [];
  const final = worst('final');
  if (final && !countsAfterFinal(raw, final, found)) return [];
  const doubt = doubtOf(kind, reference, found, placed);
  return [{ kind, subject, sentence, expect, doubt }];
}

/**
 * Returns whether a deviation counts after a final fault: the application must not repeat itself or harm other
 * customers.
 */
function countsAfterFinal({ kind, to, template }: Raw, { point, fault }: Placed, { failure, timedOut }: Run): boolean {
  if (kind === 'duplicate' || kind === 'useless calls') return true;
  if (kind !== 'lost' || timedOut || to === undefined || to === point.to) return false;
  // A failed entry of a batch must not stop the others. A story that checks each message may end with an error there.
  if (fault.id === 'entry refused') return template === point.template;
  // Without its template, the story continues differently for every customer.
  if (failure !== null || point.kind === 'template.create') return false;
  if (fault.id === 'blocked' && point.match['batch'] === true) return true;
  return template === point.template && template !== null;
}
