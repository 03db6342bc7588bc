/**
 * Runs the steps and checks of a scenario when they are due. A step that reaches the application takes real time; those
 * after it wait for it, and so does an advance, as for attempts.
 */
import type { Account } from '../../account/account.js';
import type { Job } from '../../domain/rows.js';
import { activeId } from '../../domain/words.js';
import type { Log } from '../../log.js';
import type { InFlight } from '../../time/in-flight.js';
import { formatDuration, parseDuration } from '../../time/duration.js';
import type { SystemClock } from '../../time/system-clock.js';
import { judgementOffsetMs, type Judgement } from '../engine/expectations.js';
import type { TimelineAction } from '../engine/timeline.js';
import type { HttpAction, States } from '../schema/application.js';
import { readsApplication } from '../schema/expect.js';

import { offsetOf, passOver, runStep } from './run-step.js';
import { judgeRecords, judgeState, keepJudgement } from './verdict.js';

/** The application under test, as a run reaches it. */
export interface Application {
  /** Whether the time of the scenario has begun: a run waits for the application's first call. */
  readonly hasBegun: boolean;
  begun(): Promise<void>;
  /** Makes a user's call. */
  call(call: HttpAction, account: string): Promise<Response>;
  /** Stops and starts it. Returns the reason if that failed. */
  restart(): Promise<string | null>;
  /** Called when a step begins and ends to wait for a state, in which time may pass. */
  awaits(state: boolean): void;
  /** Returns what it shows at these paths; null for a path without a 2xx response. */
  read(paths: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
}

interface Response {
  /** Null if there was none. */
  readonly status: number | null;
  /** The response in words. */
  readonly words: string;
}

/** Machine milliseconds that a step waits for a state, and between two looks. */
const UNTIL_MS = 30_000;
const LOOK_AGAIN_MS = 50;

type SlowAction = Extract<TimelineAction, { kind: 'http' | 'restart' | 'wait' | 'until' }>;

interface Parts {
  readonly host: SystemClock;
  /** Null in a sandbox that does not run the application. */
  readonly application: Application | null;
  readonly log: Log;
  readonly report: (error: unknown, job: Job) => void;
  /** The jobs that take real time, and those behind them. */
  readonly inFlight: InFlight;
}

export class ScenarioJobs {
  readonly #jobs: Job[] = [];

  constructor(private readonly parts: Parts) {}

  /** Runs a job of the scenario; one that takes real time, and those behind it, later. */
  take(account: Account, job: Job): 'later' | undefined {
    const waits = this.#jobs.length > 0 || this.parts.application?.hasBegun === false;
    if (!waits && !this.#isSlow(account, job)) {
      this.#runNow(account, job);
      return undefined;
    }
    this.#jobs.push(job);
    this.parts.inFlight.add(job);
    if (this.#jobs.length === 1) void this.#runAll(account);
    return 'later';
  }

  #isSlow(account: Account, job: Job): boolean {
    if (job.kind === 'scenario.step') return isSlow(job.data as TimelineAction) && this.parts.application !== null;
    const expectation = expectationOf(account, job);
    return expectation !== undefined && readsApplication(expectation) && this.parts.application !== null;
  }

  #runNow(account: Account, job: Job): void {
    if (job.kind === 'scenario.step') {
      this.#warn(account, runStep(account, job));
      return;
    }
    const expectation = expectationOf(account, job);
    if (!expectation) return;
    const judgement = readsApplication(expectation)
      ? judgeState(expectation, null)
      : judgeRecords(account, expectation);
    keepJudgement(account, indexOf(job), judgement);
  }

  async #runAll(account: Account): Promise<void> {
    const { store, scheduler } = account;
    await this.parts.application?.begun();
    for (let next = this.#jobs[0]; next !== undefined; next = this.#jobs[0]) {
      const current = next;
      const isOver = () => scheduler.closed || store.tables.jobs.get(current.id) !== current;
      const finish = (work: () => void) => {
        if (!isOver()) store.update(() => scheduler.finish(current, work));
      };
      try {
        const work = this.#isSlow(account, current) ? await this.#runSlow(account, current, isOver) : null;
        finish(work ?? (() => this.#runNow(account, current)));
      } catch (error) {
        this.parts.report(error, current);
        finish(() => undefined);
      }
      this.#jobs.shift();
      this.parts.inFlight.delete(current);
    }
    scheduler.runDue();
  }

  /** Does what takes real time. @returns what remains to be written */
  async #runSlow(account: Account, job: Job, isOver: () => boolean): Promise<() => void> {
    const application = this.parts.application;
    if (application === null) return () => undefined;
    if (job.kind === 'scenario.judge') {
      const expectation = expectationOf(account, job);
      if (!expectation || !readsApplication(expectation)) return () => undefined;
      const judgement = judgeState(expectation, await application.read(Object.keys(expectation.state)));
      return () => keepJudgement(account, indexOf(job), judgement);
    }
    const unmet = await this.#act(application, job.data as SlowAction, account.key, isOver);
    if (unmet === null) return () => undefined;
    if (typeof unmet === 'string') return () => this.#warn(account, passOver(account, job, unmet));
    const at = `+${formatDuration(offsetOf(account, job))}`;
    return () => {
      const row = account.store.tables.scenarios.get(activeId);
      if (row) {
        account.store.tables.scenarios.patch(row, { unmet: [...(row.unmet ?? []), { passed: false, ...unmet, at }] });
      }
    };
  }

  /** @returns null, the reason why the step was skipped, or what the application did not do */
  async #act(
    application: Application,
    action: SlowAction,
    key: string,
    isOver: () => boolean,
  ): Promise<string | Pick<Judgement, 'that' | 'expected' | 'found'> | null> {
    switch (action.kind) {
      case 'restart':
        return application.restart();
      case 'http': {
        const { method = action.http.body === undefined ? 'GET' : 'POST', url, status: answered } = action.http;
        const { status, words } = await application.call(action.http, key);
        const wanted = answered === undefined ? /^/ : new RegExp(`^${answered.replaceAll('x', String.raw`\d`)}$`);
        if (status !== null && wanted.test(String(status))) return null;
        return { that: `${method} ${url}`, expected: answered ?? 'a response', found: words };
      }
      case 'wait':
        await this.#pause(parseDuration(action.wait.real));
        return null;
      case 'until': {
        const expected: States = action.until;
        const check = { at: '', state: expected };
        application.awaits(true);
        try {
          for (let leftMs = UNTIL_MS; ; leftMs -= LOOK_AGAIN_MS) {
            const judgement = judgeState(check, await application.read(Object.keys(expected)));
            if (judgement.passed || isOver()) return null;
            if (leftMs <= 0) return { ...judgement, that: 'until the application has this state, within 30s' };
            await this.#pause(LOOK_AGAIN_MS);
          }
        } finally {
          application.awaits(false);
        }
      }
    }
  }

  #warn({ key }: Account, text: string | undefined): void {
    if (text !== undefined) this.parts.log.warn(text, { account: key });
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.parts.host.setTimer(ms, () => resolve()));
  }
}

function isSlow(action: TimelineAction): action is SlowAction {
  return ['http', 'restart', 'wait', 'until'].includes(action.kind);
}

function indexOf({ data }: Job): number {
  return (data as { index: number }).index;
}

function expectationOf({ script }: Account, job: Job) {
  return script.scenario?.expect[indexOf(job)];
}

/** Reads the application for the checks of its state at the end, before it is stopped. */
export async function judgeFinalState(account: Account, application: Application): Promise<void> {
  for (const [index, expectation] of (account.script.scenario?.expect ?? []).entries()) {
    if (!readsApplication(expectation) || judgementOffsetMs(expectation) !== null) continue;
    const judgement = judgeState(expectation, await application.read(Object.keys(expectation.state)));
    account.store.update(() => keepJudgement(account, index, judgement));
  }
}
