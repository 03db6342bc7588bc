/** Evaluates an expectation at its time, and all of them when the verdict is requested. */
import type { Account } from '../../account/account.js';
import { counted } from '../../domain/in-words.js';
import type { Job } from '../../domain/job.js';
import type { Row } from '../../domain/row.js';
import { judge, judgementOffsetMs, type Judgement, type Surroundings } from '../engine/expectations.js';
import { lastOffsetMs } from '../engine/timeline.js';
import type { ExpectSubject } from '../language/expectations.js';
import { activeId } from '../../domain/script-state.js';
import { scenarioSubject } from './run-step.js';
import { evidenceOf } from './expectation-records.js';
import type { InFlight } from '../../time/advance.js';
import type { SystemClock } from '../../time/system-clock.js';
import { oneTurn, turnOfOthers, type Steps } from '../../time/turns.js';

/** Evaluates expectations when they are due. An advance waits for those that take more than a turn, as it does for attempts. */
export class Evaluations implements InFlight {
  readonly #host: SystemClock;
  readonly #report: (error: unknown, job: Job) => void;
  readonly #jobs = new Set<Job>();
  #quiet: (() => void)[] = [];

  constructor(host: SystemClock, report: (error: unknown, job: Job) => void) {
    this.#host = host;
    this.#report = report;
  }

  get count(): number {
    return this.#jobs.size;
  }

  jobs(): Iterable<Job> {
    return this.#jobs;
  }

  quiet(): Promise<void> {
    return this.#jobs.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#quiet.push(resolve));
  }

  /** Runs a `scenario.judge` job: the result at this instant counts. */
  take(account: Account, job: Job): 'later' | undefined {
    const { index } = job.data as { index: number };
    const expectation = account.script.scenario?.expect[index];
    if (!expectation) return undefined;
    const steps = judge(expectation, evidenceOf(account), aroundOf(account));
    const first = oneTurn(steps, this.#host);
    if (first.done !== true) {
      this.#jobs.add(job);
      void this.#goOn(account, job, steps);
      return 'later';
    }
    keepJudgement(account, index, first.value);
    return undefined;
  }

  async #goOn(account: Account, job: Job, steps: Steps<Judgement>): Promise<void> {
    const { store, scheduler } = account;
    const isOver = () => scheduler.closed || store.tables.jobs.get(job.id) !== job;
    const finish = (work: () => void) => store.update(() => scheduler.finish(job, work));
    const { index } = job.data as { index: number };
    try {
      for (;;) {
        await turnOfOthers(this.#host);
        if (isOver()) break;
        const step = oneTurn(steps, this.#host);
        if (step.done !== true) continue;
        finish(() => keepJudgement(account, index, step.value));
        break;
      }
    } catch (error) {
      this.#report(error, job);
      if (!isOver()) finish(() => undefined);
    }
    this.#jobs.delete(job);
    if (this.#jobs.size === 0) for (const resolve of this.#quiet.splice(0)) resolve();
    scheduler.runDue();
  }
}

function keepJudgement({ store }: Account, index: number, judgement: Judgement): void {
  store.tables.judgements.insert({ id: `expect[${index}]`, seq: store.nextSeq(), judgement });
}

/** Returns when everything that the scenario plans has happened, in account time; null if none is active. */
export function scenarioEndMs({ script, store }: Account): number | null {
  const { scenario, activatedAtMs } = script;
  if (!scenario || activatedAtMs === null) return null;
  const planned = [...store.tables.jobs.list('subject', scenarioSubject)].map(({ dueMs }) => dueMs);
  return Math.max(activatedAtMs + lastOffsetMs(scenario, activatedAtMs), ...planned);
}

function aroundOf({ script }: Account): Surroundings {
  return { checks: script.scenario?.expect ?? [], activatedAtMs: script.activatedAtMs ?? 0 };
}

/** A record that failed a check. Its addresses are paths on the sandbox. */
export interface FailedRecord {
  readonly id: string;
  /** Its address in the control plane. */
  readonly url: string;
  /** Its address in the web UI. */
  readonly page: string;
}

export interface VerdictCheck extends Omit<Judgement, 'records'> {
  /** The records that failed the check, at most 10; omitted if there are none. */
  readonly records?: readonly FailedRecord[];
}

export interface Verdict {
  readonly scenario: string;
  readonly passed: boolean;
  /** Why it has not passed although no check failed: the application made no call. */
  readonly reason?: 'no_calls';
  /** A note about the result; omitted if the application made a call. */
  readonly note?: string;
  readonly checks: readonly VerdictCheck[];
  /** Steps of the timeline that were skipped because they were not possible; omitted if there are none. */
  readonly warnings?: readonly string[];
}

/** Returns the verdict, or null if no scenario is active. An expectation has not passed before its time. */
export function* verdictOf(account: Account): Steps<Verdict | null> {
  const { scenario } = account.script;
  if (!scenario) return null;
  const evidence = evidenceOf(account);
  const around = aroundOf(account);
  const checks: VerdictCheck[] = [];
  for (const [index, expectation] of scenario.expect.entries()) {
    const stored = account.store.tables.judgements.get(`expect[${index}]`)?.judgement as Judgement | undefined;
    const { records, ...check } = stored ?? (yield* judge(expectation, evidence, around));
    checks.push(
      stored === undefined && judgementOffsetMs(expectation) !== null
        ? { ...check, passed: false, found: `not evaluated yet: ${expectation.at} is in the future` }
        : { ...check, ...(records && { records: records.map((id) => linked(account, expectation.that, id)) }) },
    );
  }
  const warnings = account.store.tables.scenarios.get(activeId)?.passedOver;
  const { passes, ...participation } = participationOf(account);
  return {
    scenario: scenario.name,
    passed: passes && checks.every(({ passed }) => passed),
    ...participation,
    checks,
    ...(warnings && { warnings }),
  };
}

/** The addresses of records of each kind in the control plane and the web UI. An attempt is part of its delivery. */
const PLACES: Readonly<Record<ExpectSubject, readonly [url: string, panel: string]>> = {
  requests: ['requests/', 'requests'],
  webhooks: ['webhooks?id=', 'webhooks/endpoints'],
  attempts: ['deliveries/', 'webhooks/deliveries'],
  deliveries: ['deliveries/', 'webhooks/deliveries'],
  messages: ['messages/', 'story/message'],
  templates: ['templates/', 'templates'],
  otps: ['otps/', 'codes'],
  events: ['events/', 'story/event'],
};

function linked({ key, store }: Account, that: ExpectSubject, id: string): FailedRecord {
  const [at, panel] = PLACES[that];
  const inbound = that === 'messages' && store.tables.messages.get(id)?.origin === 'inbound';
  const customer = encodeURIComponent(store.tables.messages.get(id)?.customer ?? '');
  const url = inbound ? `customers/${customer}/messages?message_id=${id}` : `${at}${id}`;
  return { id, url: `/_sandbox/${url}`, page: `/_sandbox/ui#/${encodeURIComponent(key)}/${panel}/${id}` };
}

/** Returns whether the verdict may pass at all, and a note for the reader. */
export function participationOf(account: Account): Pick<Verdict, 'reason' | 'note'> & { readonly passes: boolean } {
  if (account.script.scenario?.expect_no_calls === true || since(account, 'requests').length > 0)
    return { passes: true };
  const attempts = since(account, 'attempts');
  if (attempts.length === 0) {
    return {
      passes: false,
      reason: 'no_calls',
      note: 'The application made no call and no delivery was attempted, so nothing could fail. If the scenario is meant to pass like this, add expect_no_calls: true to it.',
    };
  }
  const answered = attempts.filter(({ status }) => status !== null).length;
  return {
    passes: true,
    note: `The application made no call; it responded to ${answered} of ${counted(attempts.length, 'delivery attempt')}.`,
  };
}

/** Returns whether nothing at all happened in the account since the activation. */
export function isUntouched(account: Account): boolean {
  return (['requests', 'attempts', 'events', 'messages'] as const).every((table) => since(account, table).length === 0);
}

type Counted = 'requests' | 'attempts' | 'events' | 'messages';

function since({ store: { tables } }: Account, name: Counted) {
  const activatedSeq = tables.scenarios.get(activeId)?.seq ?? 0;
  const rows: (Row & { readonly status?: unknown })[] = [...tables[name].all()];
  return rows.filter(({ seq }) => seq > activatedSeq);
}
