import type { Account } from '../account/account.js';
import { ApplicationSlot, type Program } from '../account/application.js';
import { Generation } from '../account/generation.js';
import type { Dialect } from '../dialect/index.js';
import type { Job } from '../domain/rows.js';
import type { Log } from '../log.js';
import { FakeData } from '../random/fake-data.js';
import { Ids } from '../random/ids.js';
import { Script } from '../rules/script.js';
import { runAnswer } from '../simulation/customer-writes.js';
import { runReport } from '../simulation/report-status.js';
import { runReview } from '../simulation/review-template.js';
import { applicationOf } from '../stage/application.js';
import { ScenarioJobs } from '../stage/scenario-jobs.js';
import type { StartingScenario } from '../stage/starting-scenario.js';
import type { AccountData, Tables } from '../store/account-data.js';
import type { AccountDisk } from '../store/account-disk.js';
import { AccountStore } from '../store/account-store.js';
import { recordsDropped } from '../store/heap.js';
import { AccountClock } from '../time/account-clock.js';
import { InFlight } from '../time/jobs.js';
import { Quiet } from '../time/quiet.js';
import { Scheduler } from '../time/scheduler.js';
import type { JobHandlers } from '../time/line.js';
import type { SystemClock } from '../time/system-clock.js';
import { Dispatcher } from '../webhooks/deliver.js';
import { sinkReceiver, type Tunnels } from '../webhooks/direct.js';
import { pauseEndpoint } from '../webhooks/outcome.js';
import type { Sender } from '../webhooks/send.js';

export interface BuildParts {
  readonly host: SystemClock;
  readonly seed: number | string;
  readonly dialect: Dialect;
  readonly log: Log;
  readonly maxJournal: number;
  readonly sender: Sender;
  readonly tunnels: Tunnels;
  readonly programOf: (key: string) => Program | null;
  readonly applicationUrl: string | null;
  readonly startingScenario: (key: string) => StartingScenario | null;
}

interface Stored {
  readonly key: string;
  readonly data: AccountData;
  readonly disk: AccountDisk | null;
  readonly number: number;
}

export function buildAccount(parts: BuildParts, { key, data, disk, number }: Stored): Account {
  const { host, seed, dialect, log, maxJournal, sender, tunnels, programOf, applicationUrl } = parts;
  const clock = new AccountClock(host, data.meta.clock, data.meta.nowMs);
  const now = () => clock.now();
  const store = new AccountStore(data, disk, now);
  if (clock.state !== store.meta.clock) store.setClock(clock.state);
  const report = (error: unknown, job: Job) =>
    log.error(`A job of kind ${job.kind} failed: ${String(error)}`, { account: key, job: job.id });
  const inFlight = new InFlight();
  const quiet = new Quiet(host);
  const scheduler = new Scheduler({ store, clock, host, inFlight, quiet, report });
  const streams = data.meta.streams ?? key;
  const ids = new Ids(seed, streams, data.meta.draws, (id) => isTaken(store.tables, id));
  const script = new Script({ store, scheduler, now, seed });
  const dispatcher = new Dispatcher({
    store,
    scheduler,
    inFlight: new InFlight(inFlight),
    sender,
    script,
    sink: sinkReceiver({ store, clock }, host),
    tunnel: tunnels.receiverOf(key),
    host,
    clock,
    dialect,
    report,
  });
  const fakeData = new FakeData(seed, streams, data.meta.draws);
  const notice = parts.startingScenario(key)?.notice;
  const generation = new Generation();
  const standing = applicationUrl === null ? null : { origin: applicationUrl };
  const application = new ApplicationSlot(
    () => programOf(key) ?? standing,
    (program) => {
      const made = applicationOf(program, { store, quiet, nowMs: now });
      if (program === standing) made.begin();
      return made;
    },
  );
  const account: Account = {
    ...{
      key,
      number,
      notice,
      generation,
      application,
      store,
      clock,
      scheduler,
      quiet,
      ids,
      fakeData,
      dispatcher,
      dialect,
      script,
    },
    maxJournal,
  };
  const scenarioJobs = new ScenarioJobs({ host, log, report, inFlight: new InFlight(inFlight) });
  generation.onEnd(() => {
    scheduler.interrupt();
    dispatcher.forget();
    scenarioJobs.forget();
    quiet.forget();
    recordsDropped();
  });
  scheduler.start(jobsOf(account, scenarioJobs));
  return account;
}

function isTaken({ messages, templates, otps, endpoints, deliveries, events, requests }: Tables, id: string): boolean {
  if (id.startsWith('req_')) return requests.get(id) !== undefined;
  if (id.startsWith('evt_')) return events.get(id) !== undefined;
  return [messages, templates, otps, endpoints, deliveries].some((table) => table.get(id) !== undefined);
}

function jobsOf(account: Account, scenario: ScenarioJobs): JobHandlers {
  return {
    'message.status': (job) => runReport(account, job),
    'template.review': (job) => runReview(account, job),
    'customer.writes': (job) => runAnswer(account, job),
    'scenario.step': (job) => scenario.take(account, job),
    'scenario.judge': (job) => scenario.take(account, job),
    'delivery.attempt': (job) => account.dispatcher.take(job),
    'endpoint.pause': (job) => pauseEndpoint(account, job),
  };
}
