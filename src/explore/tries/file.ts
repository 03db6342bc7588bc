import { stringify } from 'yaml';
import { pauseAfterMs } from '../../domain/retry-schedule.js';
import { formatDuration } from '../../time/duration.js';
import { ruleOf, withFault } from '../faults/placed.js';
import type { Deviation, Placed, Point, RuleInput, Run } from '../facts/types.js';

export interface HowPlayed {
  /** Empty if only the story itself can play a file. `steered`: the story moves the clock. */
  readonly command: (name: string, steered: boolean) => string;
  readonly extends: string | null;
  /** The scenario of a story with an application, which the files include. */
  readonly story: {
    readonly scenario: Readonly<Record<string, unknown>>;
    readonly timeline: readonly unknown[];
    /** Times of the steps that reach the application, in account milliseconds. */
    readonly stepsMs: readonly number[];
    readonly endMs: number;
  } | null;
}

export interface WrittenFile {
  readonly name: string;
  readonly text: string;
  readonly without: string;
  /** Null if a run of the scenario can show the break. */
  readonly hidden: string | null;
}

/** Covers the first retries of deliveries. */
const tailMs = 10 * 60_000;
/** Account milliseconds until an endpoint that rejects its deliveries is paused, after their last retry. */
export const untilPausedMs = 1.25 * pauseAfterMs;

const notShown = 'Only the state, the output or the end of the application shows this.';
const inHurry = 'A scenario waits until a call that failed was repeated, and one that is late has its response.';
const rightWithout = 'Without the fault, the same message is right.';
const ofCommand = 'A scenario does not restart a command.';
const ofTest = 'It is the account of one test, which no scenario file prepares.';

/** Kinds of breaks that show their customers. */
export const ofCustomers: ReadonlySet<string> = new Set(['duplicate', 'lost']);

/** Returns what breaks of one kind have in common; messages of each template are of a kind of their own. */
export const breakAt = (kind: string, { kind: at, template }: Point): string =>
  [kind, at, ...(ofCustomers.has(kind) && template !== null ? [template] : [])].join(' ');

/** `patienceMs` are the machine milliseconds in which the application can reach its end state. */
export function writeFile(
  placed: Placed,
  deviation: Deviation,
  { facts, failure }: Run,
  { story, ...how }: HowPlayed,
  patienceMs: number,
): WrittenFile {
  const { kind, sentence } = deviation;
  const name = `${breakAt(kind, placed.point).replace(/[^A-Za-z0-9]+/g, '-')}.yaml`;
  const { title } = placed;
  const rule = ruleOf(placed);
  const command = how.command(name, facts.steered);
  // What a function returns is read by nothing else.
  const expected = command === '' && 'state' in (deviation.expect ?? {}) ? null : deviation.expect;
  const because = oneLine(`With the fault: ${sentence}`);
  const expect = expected === null ? [] : [{ at: 'finish', ...expected, because }];
  const isForged = ['forged', 'unsigned'].includes(placed.fault.id) && rule !== null;
  const steps = story?.timeline ?? [];
  const faulty = withFault(steps, placed);
  const answered = kind === 'application failed' ? faulty.map((entry) => answeredWell(entry, sentence)) : faulty;
  const real = `${Math.max(1, Math.ceil(patienceMs / 1000))}s`;
  const afterMs = kind === 'endpoint lost' ? untilPausedMs : tailMs;
  const wait = story === null ? [] : [{ at: `+${formatDuration(story.endMs + afterMs)}`, wait: { real } }];
  const documentWith = (isFaulty: boolean) => {
    const rules = [...(isFaulty && rule ? [rule] : []), ...listOf(story?.scenario['rules'])];
    const timeline = [...(isFaulty ? answered : steps), ...wait];
    const genuine = isFaulty && isForged ? [onlyGenuine(rule)] : [];
    const checks = [...expect, ...genuine, ...listOf(story?.scenario['expect'])];
    return {
      version: 1,
      name: name.replace(/\.yaml$/, ''),
      description: oneLine(`${title}.`),
      ...(how.extends !== null && { extends: [how.extends] }),
      ...story?.scenario,
      ...(rules.length > 0 && { rules }),
      timeline: timeline.length > 0 ? timeline : undefined,
      expect: checks.length > 0 ? checks : undefined,
    };
  };
  const shows =
    expected !== null || isForged || ['application failed', 'check failed'].includes(kind) || failure !== null;
  const comment = [
    `${kind[0]?.toUpperCase() ?? ''}${kind.slice(1)}: ${title}.`,
    sentence,
    `Cell: ${placed.id}`,
    ...(command === '' ? [] : [`Run it again in the folder in which explore ran: ${command}`]),
  ];
  const textOf = (isFaulty: boolean) =>
    `${comment.map((line) => `# ${oneLine(line)}`).join('\n')}\n${stringify(documentWith(isFaulty), { lineWidth: 110, aliasDuplicateObjects: false })}`;
  const hidden = unplayable(placed, kind, story !== null) ?? (shows ? null : notShown);
  return { name, text: textOf(true), without: textOf(false), hidden };
}

/** Returns why no scenario can play it; null if one can. */
function unplayable({ point, fault }: Placed, kind: Deviation['kind'], isServer: boolean): string | null {
  const { hurriesMs, restart, inbound, class: of, rule } = fault;
  if (point.account !== '') return ofTest;
  if (restart !== undefined && !isServer) return ofCommand;
  if (hurriesMs !== undefined) return inHurry;
  const isOptOut = inbound !== undefined && of === 'throttle';
  const isUnapproved = rule?.then.review !== undefined && kind === 'useless calls';
  return isOptOut || isUnapproved ? rightWithout : null;
}

const onlyGenuine = ({ id }: RuleInput) => ({
  ...{ at: 'finish', that: 'attempts', where: { rule: id, status: '2xx' }, max: 1 },
  because: 'Of the two requests, only the genuine one may be accepted.',
});

/** Comments and descriptions are one line, whatever a message contains. */
const oneLine = (text: string): string => text.replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** A call that failed with the fault must be answered well. */
function answeredWell(entry: unknown, sentence: string): unknown {
  const { http } = entry as { http?: { url: string; method?: string; body?: unknown } };
  if (!http) return entry;
  const { method = http.body === undefined ? 'GET' : 'POST', url } = http;
  return sentence.includes(`${method} ${url} got`) ? { ...(entry as object), http: { ...http, status: '2xx' } } : entry;
}
