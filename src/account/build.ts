/**
 * Assembles an account: its store, clock, randomness, event log, dispatcher and scheduler, and the table that maps each
 * kind of job to a function.
 */
import type { Dialect } from '../dialect/index.js';
import type { Job } from '../domain/rows.js';
import type { Log } from '../log.js';
import { FakeData } from '../random/fake-data.js';
import { Ids } from '../random/ids.js';
import { AccountScript } from '../scenario/run/account-script.js';
import { ScenarioJobs, type Application } from '../scenario/run/scenario-jobs.js';
import { runAnswer } from '../simulation/customer-writes.js';
import { runReport } from '../simulation/report-status.js';
import { runReview } from '../simulation/review-template.js';
import type { AccountData, Persistence } from '../store/account-data.js';
import { AccountStore } from '../store/account-store.js';
import { AccountClock } from '../time/account-clock.js';
import { InFlight } from '../time/jobs.js';
import { Scheduler } from '../time/scheduler.js';
import type { SystemClock } from '../time/system-clock.js';
import { Dispatcher } from '../webhooks/deliver.js';
import { pauseEndpoint } from '../webhooks/outcome.js';
import type { Sender } from '../webhooks/send.js';
import { sinkReceiver } from '../webhooks/direct.js';
import type { Tunnels } from '../webhooks/direct.js';
import type { Account } from './account.js';

/** The parts that all accounts of a sandbox share. */
export interface Surroundings {
  readonly host: SystemClock;
  readonly seed: number | string;
  readonly dialect: Dialect;
  readonly log: Log;
  readonly maxJournal: number;
  readonly sender: Sender;
  readonly tunnels: Tunnels;
  /** The application that a run starts beside the account with this key, as soon as it exists; null without one. */
  readonly applicationOf: (key: string) => Application | null;
}

export function buildAccount(around: Surroundings, key: string, data: AccountData, persistence: Persistence): Account {
  const { host, seed, dialect, log, maxJournal, sender } = around;
  const store = new AccountStore(data, persistence);
  const clock = new AccountClock(host, store.meta.clock, store.meta.nowMs);
  const now = () => clock.now();
  store.stampWith(now);
  if (clock.state !== store.meta.clock) store.setClock(clock.state);
  const report = (error: unknown, job: Job) =>
    log.error(`A job of kind ${job.kind} failed: ${String(error)}`, { account: key, job: job.id });
  const inFlight = new InFlight();
  const arrive = (nowMs: number) => store.setClock(clock.moveTo(nowMs));
  const scheduler = new Scheduler({ store, clock, host, inFlight, arrive, report });
  const streams = data.meta.streams ?? key;
  const ids = new Ids(seed, streams, data.meta.draws);
  const script = new AccountScript({ store, scheduler, now, seed });
  const dispatcher = new Dispatcher({
    store,
    scheduler,
    inFlight: new InFlight(inFlight),
    sender,
    script,
    sink: sinkReceiver({ store, clock }, host),
    tunnel: around.tunnels.receiverOf(key),
    host,
    clock,
    extraHeaders: dialect.webhooks.extra_headers,
    report,
  });
  const account: Account = {
    key,
    store,
    clock,
    scheduler,
    ids,
    fakeData: new FakeData(seed, streams, data.meta.draws),
    dispatcher,
    dialect,
    script,
    maxJournal,
  };
  const scenarioJobs = new ScenarioJobs({
    host,
    application: () => around.applicationOf(key),
    log,
    report,
    inFlight: new InFlight(inFlight),
  });
  scheduler.start({
    'message.status': (job) => runReport(account, job),
    'template.review': (job) => runReview(account, job),
    'customer.writes': (job) => runAnswer(account, job),
    'scenario.step': (job) => scenarioJobs.take(account, job),
    'scenario.judge': (job) => scenarioJobs.take(account, job),
    'delivery.attempt': (job) => dispatcher.take(job),
    'endpoint.pause': (job) => pauseEndpoint(account, job),
  });
  return account;
}
