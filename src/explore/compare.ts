/** The oracle: a failure that one can recover from must end where the run without it ended. */
import { hookOf } from '../scenario/engine/operation-names.js';
import { formatDuration } from '../time/duration.js';
import { activeEndpoints, outstanding, sentMessages, templateStates, verified, type Reference } from './end-state.js';
import { differences, leaves, normalForm, plain, progress } from './normal-form.js';
import type { Deviation, Facts, Fault, Placed, Point, Run } from './types.js';

/** A message may come so much later than the fault itself lasts. */
const graceMs = 10 * 60_000;
/** A call that was refused may be repeated so often within a minute. */
const mostRepeats = 3;

/** All that deviates after these faults. */
export function deviationsOf(reference: Reference, found: Run, placed: readonly Placed[]): Deviation[] {
  const all = [
    ...messages(reference, found, placed),
    ...codes(reference, found),
    ...templates(reference, found),
    ...endpoints(reference, found),
    ...said(reference, found),
    ...ending(reference, found),
    ...unnoticed(reference, found, placed),
    ...calls(reference.run.facts, found.facts),
  ];
  return all.flatMap((deviation) => judged(deviation, reference, found, placed));
}

type Raw = Omit<Deviation, 'doubt'> & {
  /** The customer and the template that it concerns. */
  readonly to?: string;
  readonly template?: string | null;
  /** Whether it counts whatever the fault was. */
  readonly always?: true;
  readonly doubt?: string | null;
};

function messages({ run, closeness, unstable }: Reference, { facts }: Run, placed: readonly Placed[]): Raw[] {
  if (unstable.includes('messages')) return [];
  const [expected, found] = [sentMessages(run.facts, closeness), sentMessages(facts, closeness)];
  const lastsMs = Math.max(...placed.map(({ fault }) => fault.lastsMs));
  return [...new Set([...expected.keys(), ...found.keys()])].flatMap((key): Raw[] => {
    const [before, after] = [expected.get(key), found.get(key)];
    const sent = after ?? before;
    if (sent === undefined) return [];
    const [wanted, got] = [before?.atMs.length ?? 0, after?.atMs.length ?? 0];
    const base = { subject: key, to: sent.to, template: sent.template };
    const what = `${sent.content} to ${sent.to}`;
    const expect = { that: 'messages', where: sent.where, count: countOf(expected, sent.where) };
    if (wanted === 0) {
      const sentence = `${what} was sent, which happens in no run without the fault.`;
      return [{ ...base, kind: 'state differs', sentence, expect }];
    }
    if (got > wanted) {
      return [
        { ...base, kind: 'duplicate', sentence: `${what} was sent ${times(got)} instead of ${times(wanted)}.`, expect },
      ];
    }
    if (got < wanted) {
      return [
        { ...base, kind: 'lost', sentence: `${what} was sent ${times(got)} instead of ${times(wanted)}.`, expect },
      ];
    }
    const lateMs = Math.max(...(after?.atMs ?? []).map((atMs, i) => atMs - (before?.atMs[i] ?? atMs)));
    if (!run.facts.steered || lateMs <= lastsMs + graceMs) return [];
    const sentence = `${what} was sent ${formatDuration(lateMs)} later, though the fault lasts ${formatDuration(lastsMs)}.`;
    return [{ ...base, kind: 'late', sentence, expect: null }];
  });
}

/** An expectation counts what it can name, which may be several contents together. */
function countOf(expected: ReturnType<typeof sentMessages>, where: Readonly<Record<string, string>>): number {
  const same = [...expected.values()].filter((sent) => JSON.stringify(sent.where) === JSON.stringify(where));
  return same.reduce((sum, { atMs }) => sum + atMs.length, 0);
}

const times = (count: number): string => (count === 1 ? 'once' : count === 0 ? 'never' : `${count} times`);

function codes({ run, unstable }: Reference, { facts }: Run): Raw[] {
  if (unstable.includes('codes')) return [];
  const found = verified(facts);
  return [...verified(run.facts)].flatMap(([to, wanted]): Raw[] => {
    const got = found.get(to) ?? 0;
    if (got >= wanted) return [];
    const sentence = `A code of ${to} was verified ${times(got)} instead of ${times(wanted)}.`;
    const expect = { that: 'otps', where: { to, state: 'verified' }, min: wanted };
    return [{ kind: 'lost', subject: `verified ${to}`, sentence, expect, to }];
  });
}

function templates({ run, unstable }: Reference, { facts }: Run): Raw[] {
  if (unstable.includes('templates')) return [];
  const found = templateStates(facts);
  return [...templateStates(run.facts)].flatMap(([name, wanted]): Raw[] => {
    const got = found.get(name);
    if (got === wanted) return [];
    const sentence = `The template ${name} is ${got ?? 'missing'} instead of ${wanted}.`;
    const expect = { that: 'templates', where: { name, status: wanted }, min: 1 };
    return [{ kind: 'state differs', subject: `template ${name}`, sentence, expect, template: name }];
  });
}

function endpoints({ run, unstable }: Reference, { facts }: Run): Raw[] {
  if (unstable.includes('endpoints')) return [];
  const found = activeEndpoints(facts);
  return [...activeEndpoints(run.facts)].flatMap(([key, wanted]): Raw[] => {
    const got = found.get(key) ?? 0;
    if (got >= wanted) return [];
    const paused = facts.endpoints.some(({ status }) => status === 'paused');
    const sentence = `The endpoint ${key} is ${paused ? 'paused' : 'not registered'} in the end, and hears nothing more.`;
    const expect = { that: 'webhooks', where: { status: 'active' }, min: wanted };
    return [{ kind: 'endpoint lost', subject: `endpoint ${key}`, sentence, expect }];
  });
}

function said({ said: expected, run }: Reference, found: Run): Raw[] {
  if (expected === null || found.timedOut) return [];
  const now = normalForm(found.said);
  // A story that ended early says nothing; that it did is reported as such.
  if (now === null && (found.failure !== null || run.failure !== null)) return [];
  return differences(expected, now)
    .slice(0, 5)
    .map(({ path, expected: wanted, found: got }) => {
      const subject = path === '' ? 'what it says' : path;
      const sentence = `The application says ${subject}: ${short(got)} instead of ${short(wanted)}.`;
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
    const sentence = 'The story did not end: the application still waits, or works, when the time for it is over.';
    return [{ kind: 'never settles', subject: 'the end', sentence, expect: null }];
  }
  if (found.failure === null || run.failure !== null) return [];
  const sentence = `It failed: ${found.failure}.`;
  // A command may end with an error after what it cannot recover from; a server may not end at all.
  const always = found.ended === true ? { always: true as const } : {};
  return [{ kind: 'application failed', subject: 'the end', sentence, expect: null, ...always }];
}

/** A message that failed although the application, which heard that, says that it arrived. */
function unnoticed(
  { said: expected }: Reference,
  { said: now, facts, timedOut }: Run,
  placed: readonly Placed[],
): Raw[] {
  const to = placed.find(({ point, fault }) => fault.id === 'blocked' && point.match['batch'] !== true)?.point.to;
  const messages = sentTo(facts, to);
  const [message] = messages;
  if (timedOut || messages.length !== 1 || message?.status !== 'failed' || !hasHeardOfFailure(facts, message))
    return [];
  const [before, after] = [leaves(expected), leaves(normalForm(now))];
  const isProgress = (word: unknown) => progress.includes(String(word).toLowerCase());
  if (before.length !== after.length || !before.some(({ value }) => isProgress(value))) return [];
  const same = (i: number) => before[i]?.path === after[i]?.path && before[i]?.value === after[i]?.value;
  const moved = before.flatMap(({ path, value }, i) => (same(i) ? [] : [{ path, was: value, is: after[i]?.value }]));
  if (moved.some(({ was, is }) => !isProgress(was) || !isProgress(is))) return [];
  const arrived = (word: unknown) => ['delivered', 'read'].includes(String(word).toLowerCase());
  const claims = after.filter(({ value }) => arrived(value)).length;
  const isProof = moved.length > 0 || claims > facts.messages.filter(({ status }) => arrived(status)).length;
  const says = moved[0] ? `${moved[0].path}: ${short(moved[0].is)}` : 'the same as if it had arrived';
  return [
    {
      kind: 'state differs',
      subject: 'a failure that it heard of',
      sentence: `The message to ${message.to} failed, and the application says ${says}.`,
      expect: null,
      always: true,
      doubt: isProof ? null : 'It may mean no more than that it sent the message.',
    },
  ];
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

/** Calls that cannot succeed, made again and again. */
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

/** By call and response: how often it came again within a minute of the one before, and before a Retry-After was over. */
function repeats({ requests }: Facts): Map<string, Repeated> {
  const found = new Map<string, Repeated>();
  for (const { status, path, method, request, response, at, operation } of requests) {
    if (status === null || status < 400 || status >= 500 || status === 408) continue;
    const atMs = Date.parse(at);
    const key = `${method} ${plain(path)} ${plain(JSON.stringify(request.body ?? null))} ${status}`;
    const known = found.get(key);
    const waitMs = status === 429 ? 1000 * (Number(response?.headers['retry-after']) || 0) : 60_000;
    if (known === undefined) {
      const words = status === 429 ? 'a 429, before its Retry-After was over' : `the response ${status}`;
      found.set(key, { count: 0, lastMs: atMs, operation: hookOf(operation) ?? `${method} ${path}`, status, words });
    } else {
      // A little less, because the timers of an application are not exact.
      if (atMs - known.lastMs < 0.9 * waitMs) known.count += 1;
      known.lastMs = atMs;
    }
  }
  return found;
}

/** Leaves out what the fault excuses, and says of the rest whether it is a proof. */
function judged(raw: Raw, reference: Reference, found: Run, placed: readonly Placed[]): Deviation[] {
  const { kind, subject, sentence, expect } = raw;
  if (raw.always) return [{ kind, subject, sentence, expect, doubt: raw.doubt ?? null }];
  const worst = (of: Fault['class']) => placed.find(({ fault }) => fault.class === of);
  if (worst('throttle') && kind !== 'useless calls' && kind !== 'duplicate') return [];
  const final = worst('final');
  if (final && !countsAfterFinal(raw, final, found)) return [];
  const doubt = doubtOf(raw, reference, found, placed);
  return [{ kind, subject, sentence, expect, doubt }];
}

/** After what cannot be recovered from, an application must neither repeat itself nor harm others. */
function countsAfterFinal({ kind, to, template }: Raw, { point, fault }: Placed, { failure, timedOut }: Run): boolean {
  if (kind === 'duplicate' || kind === 'useless calls') return true;
  if (kind !== 'lost' || timedOut || to === undefined || to === point.to) return false;
  // One entry of a batch is no reason to give up the others. A story that checks each message may well end at a failure.
  if (fault.id === 'entry refused') return template === point.template;
  // A story whose template is gone goes on otherwise for everybody.
  if (failure !== null || point.kind === 'template.create') return false;
  if (fault.id === 'blocked' && point.match['batch'] === true) return true;
  return template === point.template && template !== null;
}

function doubtOf({ kind }: Raw, reference: Reference, found: Run, placed: readonly Placed[]): string | null {
  const known = reference.run.facts;
  if (kind === 'useless calls') return null;
  const uncertain = placed.filter(({ fault }) => fault.class === 'uncertain');
  if (kind === 'duplicate') {
    const sign = placed.some(({ point }) => point.when === 'webhook.deliver');
    return uncertain.length > 0 && sign ? 'The sign that the call was taken is itself disturbed.' : null;
  }
  const isPaused = kind === 'endpoint lost' && found.facts.endpoints.some(({ status }) => status === 'paused');
  for (const { fault } of placed) {
    // A pause is noticed by a look at the list, whatever the people of the story do.
    const outlasted = kind === 'endpoint lost' && known.steered && lengthOf(known) > fault.lastsMs + graceMs;
    if (fault.doubt !== undefined && !outlasted) return fault.doubt;
  }
  for (const { point, fault } of uncertain) {
    const witness = witnessOf[point.kind];
    const words = fault.taken === true ? 'taken or not' : 'not taken';
    const hears = known.endpoints.some(({ events }) => (events as readonly string[]).includes(witness ?? ''));
    if (witness !== undefined && !hears)
      return `The application cannot know that the call was ${words}: it has no endpoint for ${witness}.`;
    if (mayGiveUp(point, found.facts) && admits(reference, found))
      return 'It says itself that something is open. Sending nothing twice is a decision, although an event would tell.';
  }
  const before = outstanding(known);
  const cutOff = [...outstanding(found.facts)].find(([type, count]) => count > (before.get(type) ?? 0));
  if (cutOff !== undefined && kind !== 'never settles') {
    return `The story ended before a delivery of ${cutOff[0]} was retried. Let it last longer than the retry.`;
  }
  if (isPaused && !known.steered)
    return 'The application waits in real time, so the hours after the pause are not played.';
  return null;
}

/** Calls that cost when they are made again: an application that cannot tell whether they were taken may leave it at that. */
function mayGiveUp({ kind, to }: Point, { requests, otps }: Facts): boolean {
  if (kind === 'message.send' || kind === 'otp.verify') return true;
  const ids = otps.filter((otp) => otp.to === to).map(({ otp_id: id }) => id);
  const isChecked = requests.some(
    ({ operation, request }) =>
      operation === 'verifyOtp' && ids.includes((request.body as { otp_id: string } | null)?.otp_id ?? ''),
  );
  return kind === 'otp.send' && !isChecked;
}

/** Whether the application says, or its exit code does, that it did not end as it should. */
function admits({ said: expected, run }: Reference, { said: now, failure, ended }: Run): boolean {
  if (ended === true) return false;
  return (failure !== null && run.failure === null) || differences(expected, normalForm(now)).length > 0;
}

const lengthOf = ({ startedAt, endedAt }: Facts): number => Date.parse(endedAt) - Date.parse(startedAt);

/** The event that tells what became of a call whose response was lost. */
const witnessOf: Readonly<Record<string, string>> = {
  'message.send': 'message.status',
  'otp.verify': 'otp.verified',
};
