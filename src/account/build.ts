/**
 * Assembles an account: its store, clock, randomness, event log, dispatcher and scheduler, and the table that maps each
 * kind of job to a function.
 */
import { runAnswer } from '../simulation/customer-writes.js';
import { runReport } from '../simulation/report-status.js';
import { runMove, runReview } from '../simulation/review-template.js';
import type { Dialect } from '../dialect/index.js';
import type { EventType } from '../domain/event.js';
import type { Job } from '../domain/job.js';
import { EventLog } from '../webhooks/events.js';
import type { Log } from '../log.js';
import { Ids } from '../random/ids.js';
import { FakeData } from '../random/fake-data.js';
import { AccountScript } from '../scenario/run/account-script.js';
import { ScenarioJobs, type Application } from '../scenario/run/scenario-jobs.js';
import type { AccountData } from '../store/account-data.js';
import { AccountStore } from '../store/account-store.js';
import type { Persistence } from '../store/persistence.js';
import { AccountClock } from '../time/account-clock.js';
import type { InFlight } from '../time/advance.js';
import type { SystemClock } from '../time/system-clock.js';
import type { JobBook } from '../time/job-queue.js';
import { Scheduler } from '../time/scheduler.js';
import { Dispatcher } from '../webhooks/deliver.js';
import type { Sender } from '../webhooks/exchange.js';
import { pauseEndpoint } from '../webhooks/endpoints.js';
import { sinkReceiver } from '../webhooks/sink.js';
import type { Tunnels } from '../webhooks/tunnel.js';
import { type Account, Exploration } from './account.js';

/** The parts that all accounts of a sandbox share. */
export interface Surroundings {
  readonly host: SystemClock;
  readonly seed: number | string;
  readonly dialect: Dialect;
  readonly log: Log;
  readonly maxJournal: number;
  readonly sender: Sender;
  readonly tunnels: Tunnels;
  /** The application that a run starts beside the account with this key; null without one. */
  readonly applicationOf: (key: string) => Application | null;
}

export function buildAccount(around: Surroundings, key: string, data: AccountData, persistence: Persistence): Account {
  const store = new AccountStore(data, persistence);
  const clock = new AccountClock(around.host, store.meta.clock, store.meta.nowMs);
  const now = () => clock.now();
  store.stampWith(now);
  if (clock.state !== store.meta.clock) store.setClock(clock.state);
  const streams = data.meta.streams ?? key;
  const ids = new Ids(around.seed, streams, data.meta.draws);
  const script = new AccountScript({ store, key, now, seed: around.seed });
  const report = (error: unknown, job: Job) =>
    around.log.error(`A job of kind ${job.kind} failed: ${String(error)}`, { account: key, job: job.id });
  const dispatcher = new Dispatcher({
    store,
    get scheduler() {
      return scheduler;
    },
    sender: around.sender,
    script,
    sink: (request, signal) => sinkReceiver(account, around.host)(request, signal),
    tunnel: around.tunnels.receiverOf(key),
    host: around.host,
    now,
    extraHeaders: around.dialect.webhooks.extra_headers,
    report,
  });
  const scenarioJobs = new ScenarioJobs({
    host: around.host,
    application: around.applicationOf(key),
    log: around.log,
    report,
  });
  const scheduler: Scheduler = new Scheduler({
    book: jobBook(store),
    clock,
    host: around.host,
    inFlight: together(dispatcher, scenarioJobs),
    arrive: (nowMs) => store.setClock(clock.moveTo(nowMs)),
    handlers: {
      'message.status': (job) => runReport(account, job),
      'template.review': (job) => runReview(account, job),
      'template.move': (job) => runMove(account, job),
      'customer.writes': (job) => runAnswer(account, job),
      'scenario.step': (job) => scenarioJobs.take(account, job),
      'scenario.judge': (job) => scenarioJobs.take(account, job),
      'event.append': (job) => appendLate(account, job),
      'delivery.attempt': (job) => dispatcher.take(job),
      'endpoint.pause': (job) => pauseEndpoint({ store, scheduler, now }, job),
    },
    report,
  });
  const account: Account = {
    key,
    store,
    clock,
    scheduler,
    ids,
    fakeData: new FakeData(around.seed, streams, data.meta.draws),
    events: new EventLog({ store, scheduler, ids, script, now }),
    dispatcher,
    dialect: around.dialect,
    script,
    exploration: new Exploration(),
    maxJournal: around.maxJournal,
  };
  script.attach(scheduler);
  scheduler.reload();
  scheduler.runDue();
  return account;
}

/** The work in flight that an advance waits for. */
function together(...parts: readonly InFlight[]): InFlight {
  return {
    get count() {
      return parts.reduce((sum, { count }) => sum + count, 0);
    },
    *jobs() {
      for (const part of parts) yield* part.jobs();
    },
    quiet: async () => {
      await Promise.all(parts.map((part) => part.quiet()));
    },
  };
}

function appendLate(account: Account, job: Job): undefined {
  const { type, data } = job.data as { type: EventType; data: object };
  account.events.append(type, job.subject, data);
}

function jobBook(store: AccountStore): JobBook {
  const { jobs } = store.tables;
  return {
    insert: (kind, subject, dueMs, data, place) => {
      const seq = store.nextSeq();
      const id = `job_${seq}`;
      // A single literal, which is fast: each message has several jobs.
      const job: Job = data === undefined ? { id, seq, kind, subject, dueMs } : { id, seq, kind, subject, dueMs, data };
      return jobs.insert(place === undefined ? job : { ...job, place });
    },
    delete: (job) => jobs.delete(job),
    get: (id) => jobs.get(id),
    ofSubject: (subject) => jobs.list('subject', subject),
    all: () => jobs.all(),
    get size() {
      return jobs.size;
    },
    update: (work) => store.update(work),
  };
}
