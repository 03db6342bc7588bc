/** A story for a server application: each try starts it, and plays the story as `scenario run --app` plays a scenario. */
import { merged, readFacts } from '../explore/facts/facts.js';
import { deliveredAgain } from '../explore/faults/delivery-faults.js';
import { untilPausedMs } from '../explore/tries/file.js';
import { hangs } from '../explore/oracle/open-call.js';
import { unlike } from '../explore/facts/alike.js';
import { cutsOff, place, wayOf, withFault } from '../explore/faults/placed.js';
import { paused } from '../explore/faults/paused.js';
import { wholePoint } from '../explore/faults/points.js';
import type { Answer, Fault, Placed, Point } from '../explore/facts/types.js';
import { fitsStatus } from '../language/calls.js';
import { parseOffset } from '../language/durations.js';
import { formatDuration } from '../time/duration.js';
import { machineTime, pause, within } from '../time/system-clock.js';
import { readState, type StoryFile } from './story-file.js';
import { ApplicationError, lastOf } from './spawn.js';
import { ApplicationProcess } from './application-process.js';
import { failedChecksIn, type PlayStory } from './story-play.js';
import { reasonIn } from './command-story.js';

/** Moments at which something happens to a whole application. */
function between({ stepsMs }: StoryFile, fault: Fault): Placed[] {
  const shares = [0.5, 0.25, 0.75].map((share) => Math.max(1, Math.round(share * stepsMs.length)));
  return [...new Set(shares)].map((nth) => {
    const title = `the application, after step ${nth},`;
    return place(wholePoint(`application:${nth}`, 'application', title, nth, stepsMs[nth - 1] ?? 0), fault);
  });
}

/** True if the application registers at its start, and so does again after a restart. */
const registersFirst = ({ stepsMs }: StoryFile, points: readonly Point[]): boolean =>
  points.some(({ kind, atMs }) => kind === 'webhook.create' && atMs <= (stepsMs[0] ?? 0));

/** Its endpoint is paused, and nothing else happens to the application. */
export const pausesIn = (story: StoryFile, points: readonly Point[]): Placed[] =>
  registersFirst(story, points) ? between(story, paused).slice(0, 1) : [];

/** Restarts of the application: between the steps of the story, and while a call waits for its response or its repetition. */
export function restartsIn(story: StoryFile, points: readonly Point[]): Placed[] {
  const restart = { id: 'restart', rank: 3, restart: '300ms' } as const;
  const restarted = between(story, { ...restart, words: 'is restarted', class: 'recoverable' });
  const again: Fault = {
    // One that then rejects all events takes long, and its run has to be repeated.
    ...{ ...paused, ...restart, id: 'restart-paused', rank: 1 },
    words: 'is restarted while its endpoint is paused',
  };
  const unheard = registersFirst(story, points) ? between(story, again).slice(0, 1) : [];
  const redelivered: Fault = {
    ...{ ...restart, id: 'restart-again', restart: '30s', class: 'recoverable' },
    words: 'is delivered again after a minute, and the application is restarted in between',
    rule: { then: deliveredAgain },
  };
  const heard = unlike(points).flatMap((one) => (one.kind === 'message.received' ? [place(one, redelivered)] : []));
  const during: Fault = {
    ...{ ...restart, rank: 2, class: 'uncertain', taken: true, rule: { then: { respond: { latency_real: '3s' } } } },
    words: 'is processed, but the application is restarted before it has the response',
  };
  const queued: Fault = {
    // It gets the time to note the response, even on a busy machine.
    ...{ ...restart, rank: 2, restart: '3s', id: 'restart-503', class: 'uncertain', taken: false },
    words: 'gets a 503, and the application is restarted before it repeats the call',
    rule: { then: { respond: { status: 503, retry_after: '6s' } } },
  };
  const unsent: Fault = {
    ...{ ...restart, id: 'restart-unsent', class: 'uncertain', taken: false },
    words: 'is not processed, and the application is restarted before it has the response',
    rule: { then: { respond: { status: 503, latency_real: '3s' } } },
  };
  const sends = points.filter(({ kind }) => ['message.send', 'otp.send'].includes(kind));
  // A later message to the same customer could make up for the one that was lost.
  const isLast = ({ to, isRejected }: Point, i: number) =>
    isRejected !== true && sends.slice(i + 1).every((one) => one.to !== to);
  const seen = new Set<string>();
  const isFirst = (point: Point) => seen.size !== seen.add(wayOf(point)).size;
  const sent = [...sends.filter(isLast), ...sends]
    .filter(isFirst)
    .flatMap((one) => [queued, during, unsent].map((each) => place(one, each)));
  return [...sent, ...heard, ...restarted, ...unheard];
}

export interface ServerStory {
  /** The command line that starts it; `{port}` stands for a free port. */
  readonly app: string;
  /** Responds when the application is ready. */
  readonly waitFor: string | null;
  readonly story: StoryFile;
  /** Machine milliseconds that it gets to finish after the story, as long as it is not known how long it needs. */
  readonly graceMs: number;
}

/** Time limits for the application to become ready, and to stop. */
const startMs = 30_000;
const stopMs = 1_000;
/** Machine milliseconds for which an application must be idle before time jumps. */
const quietMs = 150;
/** A user waits so much longer for a state than the application needs to repeat a call. */
const untilMs = 15_000;
const stuckMs = 3_000;
const lookMs = 100;
const longestLookMs = 1_000;
/** Machine milliseconds for which the application is idle at the end. */
const settleReal = '60ms';

/** A play throws ExploreError if the story cannot be played at all. */
export function serverStory({ app, waitFor, story, graceMs }: ServerStory): PlayStory {
  const { scenario, timeline, state } = story;
  let firstCallMs = 1_500;
  return async ({ variables, account, stage, attach, placed, patience, inVain, comebacks }) => {
    const isLearning = patience.realMs === 0;
    const isFinal = placed.some(({ fault }) => fault.class === 'final');
    const steps = placed.reduce(withFault, timeline);
    const over = new AbortController();
    const { signal } = over;
    let [output, failure, sentAway, isCutOff] = ['', null as string | null, false, false];
    const answers: Answer[] = [];
    const { returnMs: retryMs, callMs, failsBy } = patience;
    const known = { retryMs, callMs, failsBy };
    const hurriesMs = placed[0]?.fault.hurriesMs;
    const application = new ApplicationProcess({
      command: app,
      waitFor: waitFor === null ? null : { url: waitFor, timeoutMs: startMs },
      variables: () => variables,
      onOutput: (text) => (output = lastOf(output + text)),
      onComeback: (at) => comebacks.push(at),
      onRestart: () => (isCutOff ||= stage.isWaiting),
      onResponse: (request, { status, body: said, lacked, isSentAway }) => {
        const { method, body, url } = request;
        sentAway ||= isSentAway;
        const call = `${method ?? (body === undefined ? 'GET' : 'POST')} ${url}`;
        answers.push({ call, sent: body, said, status });
        if (lacked !== undefined) failure ??= `the user could not call ${call}, for lack of ${lacked}`;
        else if (status === null) failure ??= `${call} got no response`;
        else if (status >= 500 && !fitsStatus(request, status)) failure ??= `${call} got the response ${status}`;
      },
      // While a call has no response, an application that works on one thing at a time gets nowhere. After a final failure, or a
      // state that did not come, the others may never come either.
      untilMs: () => {
        const isHopeless = isFinal || stage.isWaiting || stage.missedState !== undefined;
        return isLearning ? undefined : isHopeless ? stuckMs : untilMs + patience.realMs;
      },
      signal: over.signal,
    });
    attach(application);
    stage.freeze();
    // A step at +0s waits for the application.
    await account.call('PUT', '/_sandbox/scenario', { ...scenario, timeline: steps });
    stage.freeze();
    const said = () => readState(state, (paths) => stage.read(paths));
    const ending = () => ({
      failure:
        failure ?? (stage.missedState === undefined ? null : `the application did not get to ${stage.missedState}`),
      timedOut: false,
      // A call of a user with data is not cut off: the restart waited for its response.
      restarted: application.hasRestarted && (isCutOff || !placed.some(({ fault }) => cutsOff(fault))),
      sentAway,
      flows: true,
      waits: stage.isWaiting,
      output: output + answers.map(({ call, status }) => `\n${call} got ${status ?? 'no response'}`).join(''),
      answers,
      unmetSteps: stage.unmetSteps.map(({ that, expected, found, at }) => ({
        sentence: `${that} at ${at}: expected ${expected}, found ${found}`,
        atMs: parseOffset(at),
      })),
      failedChecks: failedChecksIn(stage),
    });
    /** An application that waits in real time gets the time that it needs, but no more than until the expected end. */
    let endMs: number | undefined;
    let pauseMs = lookMs;
    const mayEnd = async () => {
      // The run reaches its time limit, which shows that the call has none.
      if (stage.isWaiting && placed.some(hangs)) return false;
      endMs ??= machineTime.monotonic() + graceMs + patience.realMs;
      if (machineTime.monotonic() >= endMs) return true;
      // An application may log that its state is read, so this happens in each play.
      const now = await said();
      const facts = await readFacts(account, await account.clock.now());
      if (patience.isOver({ ...ending(), facts: merged([facts]), accounts: [facts], said: now })) return true;
      // Each look takes as long as many calls of the application.
      await pause(pauseMs);
      pauseMs = Math.min(longestLookMs, 1.5 * pauseMs);
      return false;
    };
    const play = async () => {
      stage.know(known);
      await application.start();
      const trouble = await stage.untilReady(application.ready()).catch((error: unknown) => {
        if (!(error instanceof ApplicationError)) throw error;
        return reasonIn(output) || ` (${error.message.replace(/\.$/, '')})`;
      });
      if (typeof trouble === 'string') return `the application did not start${trouble}`;
      await stage.firstCall(firstCallMs, signal);
      // One that calls after its start does so in each play, sooner or later.
      if (placed.length === 0) firstCallMs = stage.calls > 0 ? 6_000 : 500;
      await stage.play({ quietMs, known, hurriesMs, graceMs: 0, mayEnd, signal });
      await account.clock.advance({ by: '1h', settleReal });
      // An application that rejects deliveries gets many of them again, which bring nothing new.
      await account.clock.advance({ by: formatDuration(untilPausedMs) });
      await account.clock.advance({ by: '1s', settleReal });
      return null;
    };
    try {
      const playing = play();
      playing.catch(() => undefined);
      const end = await Promise.race([within(patience.limitMs, playing), application.ended, inVain]);
      if (end === 'late') return { ...ending(), said: null, failure: null, timedOut: true };
      if (typeof end === 'string') return { ...ending(), said: null, failure: end };
      if (end === null) return { ...ending(), said: await said() };
      const words = `the application ended with exit code ${end}${reasonIn(output)}`;
      return { ...ending(), said: null, failure: words, crashed: true };
    } finally {
      over.abort();
      await application.stop(stopMs);
    }
  };
}
