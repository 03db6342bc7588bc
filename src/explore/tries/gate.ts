/** The runs without faults, with which every try is compared. If these differ, no try would show anything. */
import { counted } from '../../domain/text.js';
import { hookOf } from '../../language/hooks.js';
import { ExploreError } from '../facts/error.js';
import type { JournalRequest } from '../facts/facts.js';
import { factLines, referenceOf, type Reference } from '../facts/end-state.js';
import { checksLockedAgain, cureOfLocked } from '../faults/new-code.js';
import { notesOf } from './notes.js';
import { deviationsOf } from '../oracle/oracle.js';
import { writesOf } from '../faults/points.js';
import { endOf, type Tried } from './cells.js';
import type { ExploreOptions, Patience, Play } from './options.js';
import type { Run } from '../facts/types.js';

/** A story may take this much longer in parallel than alone. */
const mostSlowdown = 1.75;
/** Maximum number of plays at the same time that two plays allow. */
const mostLanes = 6;
/** If two plays allow so many, the story is as fast beside others as alone. */
const freeLanes = 4;
/** Number of plays of a server without a fault. */
const serverPlays = 3;

export interface GateParts {
  readonly play: Play;
  readonly how: Pick<ExploreOptions['how'], 'story'>;
  readonly lanes: number;
  readonly patience: (isOver: Patience['isOver'], earlier?: readonly Run[]) => Patience;
}

export interface Gate {
  readonly reference: Reference;
  readonly runs: readonly Run[];
  readonly lanes: number;
  /** True if more plays slow each other down only when the machine has no room for them. */
  readonly isFree: boolean;
  readonly notes: readonly string[];
}

/** A run that begins with less time left cannot end, and would slow down those that confirm breaks. */
export const shortestMsOf = ({ runs }: Pick<Gate, 'runs'>, tried: readonly Tried[]): number => {
  const fine = tried.filter(({ cell }) => cell.state === 'fine');
  return Math.min(...runs.map(({ tookMs }) => tookMs), ...fine.map(({ cell }) => cell.seconds * 1000));
};

/** @throws ExploreError, also if the budget ends, with the failure of the latest run that has one */
export async function passGate(parts: GateParts, over: Promise<'over'>): Promise<Gate> {
  const failed: Run[] = [];
  const play: Play = async (...how) => {
    const run = await parts.play(...how);
    if (!run.timedOut && reasonOf(run) !== null) failed.push(run);
    return run;
  };
  const noting = { ...parts, play };
  const gate = await Promise.race([passTogether(noting).then((passed) => passed ?? passOneByOne(noting)), over]);
  if (gate !== 'over') return gate;
  const latest = failed.at(-1);
  if (latest !== undefined) requireEnd(latest, 'fails');
  throw new ExploreError('The budget ended before the runs without faults.');
}

/**
 * Plays the story of a server several times in parallel. A server mostly waits, so plays in parallel slow each other only when the
 * machine has no room.
 * @returns null if the plays differ or fail, such as servers that use the same file
 */
async function passTogether({ play, how, lanes, patience }: GateParts): Promise<Gate | null> {
  if (how.story === null || lanes < serverPlays) return null;
  const plays = Array.from({ length: serverPlays }, () =>
    play(
      [],
      patience(() => false),
    ),
  );
  const runs = await Promise.all(plays);
  const [first] = runs;
  const reasons = new Set(runs.map(reasonOf));
  // A story that fails the same way each time also fails alone.
  if (first && reasons.size === 1) requireEnd(first, 'fails');
  const isGood = (run: Run) => reasonOf(run) === null && run.facts.requests.length > 0;
  if (!runs.every(isGood) || differenceOf(runs) !== null) return null;
  const reference = referenceOf(runs);
  return { reference, runs, lanes: serverPlays, isFree: true, notes: notesOf(reference, runs) };
}

/** Plays the story alone, then twice in parallel, which shows whether the application and the machine allow that. */
async function passOneByOne({ play, lanes: most, patience }: GateParts): Promise<Gate> {
  const first = await play(
    [],
    patience(() => false),
  );
  if (first.facts.requests.length === 0 && first.failure === null && !first.timedOut) throw new ExploreError(noCall);
  requireEnd(first, 'fails');
  const alone = referenceOf([first]);
  const once = () =>
    play(
      [],
      patience((run) => deviationsOf(alone, run, null).length === 0, [first]),
    );
  const together = most > 1 ? await Promise.all([once(), once()]) : [await once()];
  const beside = differenceOf([first, ...together]) ?? together.map(reasonOf).find((why) => why !== null) ?? null;
  const isAlike = beside === null;
  // Runs in parallel may disturb each other, or the machine was busy.
  const runs = [first, ...(isAlike || most === 1 ? together : [await once(), await once()])];
  for (const run of runs) requireEnd(run, 'sometimes fails');
  const difference = differenceOf(runs);
  if (difference !== null) throw new ExploreError(`${difference} ${cure}`);
  const slowdown = Math.max(...together.map(({ tookMs }) => tookMs)) / Math.max(1, first.tookMs);
  const shown = Math.min(mostLanes, Math.floor(2 * (mostSlowdown / slowdown) ** 2));
  const lanes = Math.min(most, isAlike ? Math.max(2, shown) : 1);
  const reference = referenceOf(runs);
  return {
    reference,
    runs,
    lanes,
    isFree: isAlike && shown >= freeLanes,
    notes: [...(isAlike ? [] : [oneByOne(beside)]), ...notesOf(reference, runs)],
  };
}

const oneByOne = (difference: string): string =>
  `Tries ran one after another, because runs in parallel differed: ${difference.replace(/^Runs without faults differ: |\.$/g, '')}. ` +
  'If several customers write at the same time, add a wait between their steps.';

const noCall =
  'No call reached the sandbox, so there is nothing to try. ' +
  'Its base URL must be MESSAGING_BASE_URL, and its key MESSAGING_API_KEY. ' +
  'Tests that start a sandbox themselves must use this one: useSandbox({ url: process.env.MESSAGING_BASE_URL }).';

const cure =
  'Runs without faults must be equal. If state survives from one run to the next, keep it below the folder ' +
  'SANDBOX_TMP, which is new in each run, or empty it with --reset CMD. If phone numbers or names are random, use fixed ones: ' +
  'each run has its own account.';

const cureOfReview =
  'If your application waits for less than a second, pass a scenario with a shorter review: --scenario FILE, with defaults: { review: { status: approved, after: 300ms } }.';

function reasonOf({ flows, timedOut, failure, unmetSteps: [step] = [], failedChecks = [] }: Run): string | null {
  // A command may end before the events of its messages, for which a check may ask.
  const [check] = flows === true ? failedChecks : [];
  return timedOut
    ? 'it did not end in time'
    : (failure ?? step?.sentence ?? check?.sentence.replace(/\.$/, '') ?? null);
}

/** Account milliseconds in which the application makes the calls of a step. */
const stepMs = 10_000;

/** @throws ExploreError with the response of the sandbox */
function requireEnd(run: Run, verb: string): void {
  const why = reasonOf(run);
  if (why === null) return;
  const { failure, unmetSteps: [step] = [], facts } = run;
  const isAtStep = ({ at }: JournalRequest) => {
    const sinceMs = Date.parse(at) - Date.parse(facts.startedAt) - (step?.atMs ?? 0);
    return failure !== null || step === undefined || (sinceMs >= 0 && sinceMs < stepMs);
  };
  const isRefused = ({ status }: JournalRequest) => status === null || status >= 400;
  // Without an endpoint, no step may come about.
  const isEndpoint = ({ operation }: JournalRequest) => hookOf(operation) === 'webhook.create';
  const all = facts.requests.filter((one) => isRefused(one) && (isAtStep(one) || isEndpoint(one)));
  // An application that did not end may repeat the last ones.
  const refused = run.timedOut ? [...all.filter(isEndpoint), ...all.slice(-3)] : all.slice(0, 3);
  const answers = refused.map(({ method, path, status, response }) => {
    const { error } = (response?.body ?? {}) as { error?: { code?: string; message?: string } };
    return `${method} ${path} got ${status ?? 'no response'}: ${error?.code ?? ''} ${error?.message ?? ''}`.trim();
  });
  const said = answers.length === 0 ? '' : ` Rejected calls: ${[...new Set(answers)].join(' · ')}`;
  const waiting = run.facts.templates.filter(({ status }) => status === 'pending').map(({ name }) => name);
  const review = waiting.length === 0 ? '' : ` In review at its end: ${waiting.join(', ')}. ${cureOfReview}`;
  const isLimit = ({ error, status }: JournalRequest) => error === 'otp_max_attempts' && status === 429;
  const isLocked = refused.some(isLimit) || checksLockedAgain(facts);
  const locked = isLocked ? ` ${cureOfLocked}` : '';
  const what = run.exited === true ? 'The command' : 'The story';
  throw new ExploreError(
    `${what} ${verb} without any fault: ${why}.${said}${review}${locked} Without a fault, it must succeed each time.`,
    { end: endOf(run), isLate: run.timedOut },
  );
}

/** So many differences show what is random. */
const mostShown = 3;

/** Returns the first of each kind, such as `message.send`. */
const firstOfEach = (lines: readonly string[]): string[] =>
  [...new Map(lines.toReversed().map((line) => [line.split(':')[0], line])).values()].slice(0, mostShown);

/** Returns the first differences between runs without faults, in a sentence; null if they are equal. */
export function differenceOf([first, ...others]: readonly Run[]): string | null {
  for (const [i, other] of others.entries()) {
    for (const [name, tell] of Object.entries(aspects)) {
      const [a, b] = [first ? tell(first) : [], tell(other)];
      const missing = firstOfEach(a.filter((one) => !b.includes(one))).join(', ');
      const added = firstOfEach(b.filter((one) => !a.includes(one))).join(', ');
      if (missing === '' && added === '') continue;
      const which = [missing && `not in run ${i + 2}: ${missing}`, added && `not in run 1: ${added}`].filter(Boolean);
      return `Runs without faults differ: run 1 had ${counted(a.length, name)}, run ${i + 2} ${b.length} (${which.join('; ')}).`;
    }
  }
  return null;
}

const aspects: Readonly<Record<string, (run: Run) => string[]>> = {
  call: writesOf,
  message: ({ facts }) => factLines(facts, 'template', 'messages'),
  'verified code': ({ facts }) => factLines(facts, 'template', 'otps'),
};
