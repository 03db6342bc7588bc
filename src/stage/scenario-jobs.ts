/**
 * A step that reaches the application takes real time; later steps wait for it, and so does an advance, as for
 * attempts.
 */
import type { Account } from '../account/account.js';
import type { Application } from '../account/application.js';
import type { Job } from '../domain/rows.js';
import type { Log } from '../log.js';
import type { InFlight } from '../time/jobs.js';
import { parseDuration } from '../time/duration.js';
import { pause, type SystemClock } from '../time/system-clock.js';
import type { Judgement } from '../rules/expectations.js';
import { isInterrupted, type TimelineAction } from '../rules/timeline.js';
import { fitsStatus, isOfCommand, methodOf } from '../language/calls.js';
import { readsApplication } from '../language/checks.js';
import type { StateExpectation } from '../language/expect.js';
import { lacksButtons, type Unmet } from './customer-step.js';
import { noteBegin, noteUnmet, passOver, runStep } from './run-step.js';
import { judgeState } from './judge-state.js';
import { judgeNow, keepJudgement } from './verdict.js';

/** Machine milliseconds. */
const UNTIL_MS = 30_000;
/** A customer waits so long for the buttons that the story lets them tap: an application may send them a moment after its call. */
const BUTTONS_MS = 1_000;
/** Meanwhile, the clock jumps no further, in account milliseconds: a later tap may mean something else. */
const TAPS_LATE_MS = 10_000;
const LOOK_AGAIN_MS = 50;

type SlowAction = Extract<TimelineAction, { kind: 'http' | 'restart' | 'wait' | 'until' }>;

interface Parts {
  readonly host: SystemClock;
  readonly log: Log;
  readonly report: (error: unknown, job: Job) => void;
  readonly inFlight: InFlight;
}

export class ScenarioJobs {
  #jobs: Job[] = [];

  constructor(private readonly parts: Parts) {}

  take(account: Account, job: Job): 'later' | undefined {
    const { active } = account.script;
    if (job.kind === 'scenario.step' && active && active.hasPlayed !== true) {
      account.store.tables.scenarios.patch(active, { hasPlayed: true });
    }
    const application = account.application.current;
    const hurries = account.clock.now() <= account.scheduler.hurriesUntilMs;
    // In a story that hurries, a customer writes while a call of a user has no response yet.
    const isOvertaking = hurries && isStep(job, 'inbound');
    const [current] = this.#jobs;
    if (hurries && application && current && isInterrupted(current, job)) {
      this.parts.inFlight.add(job);
      void this.#runOne(application, account, job).finally(() => this.parts.inFlight.delete(job));
      return 'later';
    }
    const mustWait = (this.#jobs.length > 0 && !isOvertaking) || application?.hasBegun === false;
    if (!mustWait && !isSlow(account, job)) {
      this.#runNow(account, job);
      return undefined;
    }
    this.#jobs.push(job);
    // Steps wait for an application that starts, and time does not wait for them: it may need some to become ready.
    if (application?.hasBegun !== false) this.parts.inFlight.add(job);
    if (this.#jobs.length === 1) this.#runAll(account).catch((error: unknown) => this.parts.report(error, job));
    return 'later';
  }

  forget(): void {
    this.#jobs = [];
    this.parts.inFlight.clear();
  }

  #runNow(account: Account, job: Job): void {
    if (job.kind === 'scenario.step') {
      noteBegin(account, job);
      this.#warn(account, runStep(account, job));
      return;
    }
    const expectation = expectationOf(account, job);
    if (expectation) keepJudgement(account, indexOf(job), judgeNow(account, expectation));
  }

  async #runAll(account: Account): Promise<void> {
    const application = account.application.current;
    const jobs = this.#jobs;
    const isHeld = application?.hasBegun === false;
    await application?.begun();
    if (isHeld && jobs === this.#jobs) for (const job of jobs) this.parts.inFlight.add(job);
    for (let job = jobs[0]; job !== undefined && jobs === this.#jobs; job = jobs[0]) {
      await this.#runOne(application, account, job);
      jobs.shift();
      if (jobs === this.#jobs) this.parts.inFlight.delete(job);
    }
    if (jobs === this.#jobs) account.scheduler.runDue();
  }

  async #runOne(application: Application | null, account: Account, job: Job): Promise<void> {
    const { store, scheduler } = account;
    const isOver = () => scheduler.closed || store.tables.jobs.get(job.id) !== job;
    const finish = (work: () => void) => {
      if (!isOver()) store.update(() => scheduler.finish(job, work));
    };
    try {
      finish(
        isSlow(account, job)
          ? await this.#runSlow(application, account, job, isOver)
          : () => this.#runNow(account, job),
      );
    } catch (error) {
      this.parts.report(error, job);
      finish(() => undefined);
    }
  }

  /** Returns the work that remains to be written. */
  async #runSlow(
    application: Application | null,
    account: Account,
    job: Job,
    isOver: () => boolean,
  ): Promise<() => void> {
    const { data } = job;
    if (application === null) {
      await pause(parseDuration((data as Extract<SlowAction, { kind: 'wait' }>).wait.real), this.parts.host);
      return () => undefined;
    }
    if (job.kind === 'scenario.judge') {
      const judgement = await readState(application, expectationOf(account, job) as StateExpectation, account);
      return () => keepJudgement(account, indexOf(job), judgement);
    }
    const written = writtenBy(job);
    if (written) {
      await this.#untilShown(account, job, () => isOver() || !lacksButtons(account, written));
      return () => this.#runNow(account, job);
    }
    if (!isOver()) account.store.update(() => noteBegin(account, job));
    const unmet = await this.#act(application, account, job, isOver);
    return () => {
      if (typeof unmet === 'string') this.#warn(account, passOver(account, job, unmet));
      else if (unmet !== null) noteUnmet(account, job, unmet);
    };
  }

  async #act(
    application: Application,
    account: Account,
    job: Job,
    isOver: () => boolean,
  ): Promise<string | Unmet | null> {
    const action = job.data as SlowAction;
    switch (action.kind) {
      case 'restart':
        return application.restart();
      case 'http': {
        const { url, status: wanted } = action.http;
        if (account.clock.now() <= account.scheduler.hurriesUntilMs) this.#letTimePass(account, job);
        const { status, words, lacked } = await application.call(action.http);
        const isExpected = status !== null && fitsStatus(action.http, status);
        if (isExpected && lacked === undefined) return null;
        const response = wanted === undefined ? 'a status below 400' : [wanted].flat().join(' or ');
        const expected = status === null || isExpected ? (lacked ?? response) : response;
        return { that: `${methodOf(action.http)} ${url}`, expected, found: words };
      }
      case 'wait':
        await pause(parseDuration(action.wait.real), this.parts.host);
        return null;
      case 'until':
        if (!application.isOwned && Object.keys(action.until).some(isOfCommand)) {
          return 'the output of the application can be read only where "scenario run" starts it';
        }
        // Only time brings the state about: more of it may pass.
        this.#letTimePass(account, job);
        for (let leftMs = application.untilMs ?? UNTIL_MS; ; leftMs -= LOOK_AGAIN_MS) {
          const judgement = await readState(application, { at: '', state: action.until }, account);
          if (judgement.passed || isOver()) return null;
          if (leftMs <= 0) return { ...judgement, that: 'until the application has this state, within 30s' };
          await pause(LOOK_AGAIN_MS, this.parts.host);
        }
    }
  }

  async #untilShown(account: Account, job: Job, isShown: () => boolean): Promise<void> {
    const { scheduler } = account;
    scheduler.waitsUntilMs = job.dueMs + TAPS_LATE_MS;
    this.#letTimePass(account, job);
    for (let leftMs = BUTTONS_MS; leftMs > 0 && !isShown(); leftMs -= LOOK_AGAIN_MS)
      await pause(LOOK_AGAIN_MS, this.parts.host);
    scheduler.waitsUntilMs = Infinity;
  }

  #letTimePass({ scheduler }: Account, job: Job): void {
    this.parts.inFlight.letTimePass(job);
    scheduler.rearm();
  }

  #warn({ key }: Account, text: string | undefined): void {
    if (text !== undefined) this.parts.log.warn(text, { account: key });
  }
}

const isStep = ({ kind, data }: Job, action: TimelineAction['kind']): boolean =>
  kind === 'scenario.step' && (data as TimelineAction).kind === action;

function writtenBy({ kind, data }: Job) {
  const action = kind === 'scenario.step' ? (data as TimelineAction) : null;
  return action?.kind === 'inbound' ? action.inbound : null;
}

function isSlow(account: Account, job: Job): boolean {
  const { kind } = job.kind === 'scenario.step' ? (job.data as TimelineAction) : { kind: null };
  if (kind === 'wait') return true;
  if (account.application.current === null) return false;
  const written = writtenBy(job);
  if (written) return lacksButtons(account, written);
  if (kind !== null) return ['http', 'restart', 'until'].includes(kind);
  const expectation = expectationOf(account, job);
  return expectation !== undefined && readsApplication(expectation);
}

function indexOf({ data }: Job): number {
  return (data as { index: number }).index;
}

function expectationOf({ script }: Account, job: Job) {
  return script.scenario?.expect[indexOf(job)];
}

async function readState(
  application: Application,
  expectation: StateExpectation,
  { script }: Account,
): Promise<Judgement> {
  const found = await application.read(Object.keys(expectation.state));
  return judgeState(expectation, found, script.activatedAtMs ?? 0);
}

export async function judgeFinalState(account: Account): Promise<void> {
  const { application, script, store, generation } = account;
  const { current } = application;
  const { active } = script;
  for (const [index, expectation] of (script.scenario?.expect ?? []).entries()) {
    if (current === null || !readsApplication(expectation) || expectation.at !== 'finish') continue;
    const judgement = await readState(current, expectation, account);
    if (generation.signal.aborted || script.active?.seq !== active?.seq) return;
    store.update(() => keepJudgement(account, index, judgement));
  }
}
