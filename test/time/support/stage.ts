/** A scheduler with everything around it scripted: jobs in a store in memory, a machine whose time a test moves, receivers that answer on command. */
import type { Job } from '../../../src/domain/rows.js';
import { type JobKind, jobKinds } from '../../../src/domain/words.js';
import { createTables } from '../../../src/store/account-data.js';
import { AccountStore } from '../../../src/store/account-store.js';
import { AccountClock, startClock, type ClockMode } from '../../../src/time/account-clock.js';
import { InFlight } from '../../../src/time/jobs.js';
import { Quiet } from '../../../src/time/quiet.js';
import { Scheduler } from '../../../src/time/scheduler.js';
import type { JobHandler, JobHandlers } from '../../../src/time/line.js';
import { ManualHost } from '../../support/manual-host.js';

export const startMs = Date.UTC(2026, 2, 1, 9);

/** Attempts that end when a test says so. */
export class Receivers {
  readonly inFlight = new InFlight();

  start(job: Job): void {
    this.inFlight.add(job);
  }

  /** Ends the attempt of a delivery; `work` is what its answer causes. */
  answer(stage: Stage, subject: string, work: () => void = () => undefined): void {
    const job = [...this.inFlight.jobs()].find((open) => open.subject === subject);
    if (!job) throw new Error(`no attempt of ${subject} is open`);
    stage.store.update(() => stage.scheduler.finish(job, work));
    this.inFlight.delete(job);
    stage.scheduler.runDue();
  }
}

export interface Stage {
  readonly host: ManualHost;
  readonly clock: AccountClock;
  readonly store: AccountStore;
  readonly receivers: Receivers;
  readonly scheduler: Scheduler;
  /** `subject@offset` of each job run, offsets in milliseconds from the start. */
  readonly log: string[];
  readonly reported: { error: unknown; job: Job }[];
  /** What a kind of job does besides being logged. */
  readonly on: Partial<Record<JobKind, JobHandler>>;
  /** Puts a job into the store, `offsetMs` from the start. */
  plan(kind: JobKind, subject: string, offsetMs: number, data?: unknown): Job;
  nowOffset(): number;
}

export function stageOf(mode: ClockMode = 'frozen', scale = 1, host = new ManualHost(startMs)): Stage {
  const state = startClock({ mode, scale, startMs: null }, host);
  const clock = new AccountClock(host, state);
  const meta = { createdAtMs: startMs, seq: 0, draws: {}, clock: state };
  const store = new AccountStore({ meta, tables: createTables() }, null, () => clock.now());
  const receivers = new Receivers();
  const log: string[] = [];
  const reported: Stage['reported'] = [];
  const on: Stage['on'] = {};
  const handler: JobHandler = (job) => {
    log.push(`${job.subject}@${clock.now() - startMs}`);
    return on[job.kind]?.(job);
  };
  const handlers = Object.fromEntries(jobKinds.map((kind) => [kind, handler])) as JobHandlers;
  const report = (error: unknown, job: Job) => void reported.push({ error, job });
  const quiet = new Quiet(host);
  const scheduler = new Scheduler({ store, clock, host, inFlight: receivers.inFlight, quiet, report });
  scheduler.start(handlers);
  const plan = (kind: JobKind, subject: string, offsetMs: number, data?: unknown) =>
    store.update(() => scheduler.schedule(kind, subject, startMs + offsetMs, data));
  const nowOffset = () => clock.now() - startMs;
  return { host, clock, store, receivers, scheduler, log, reported, on, plan, nowOffset };
}
