/** How time passes in the story of a server: its users act when the application is idle, however long that takes. */
import { isDeepStrictEqual } from 'node:util';
import type { SandboxAccount } from '../client/account.js';
import { SandboxError } from '../client/sandbox-error.js';
import { merged, readFacts } from '../explore/facts.js';
import type { Patience } from '../explore/options.js';
import type { Placed } from '../explore/types.js';
import type { HttpAction } from '../scenario/schema/application.js';
import { parseDuration } from '../time/duration.js';
import { machineTime, pause, within } from '../time/system-clock.js';
import type { ApplicationProcess } from './application-process.js';
import type { SeenCall } from './explore-application.js';

/** A step of the timeline that reaches the application. */
export interface ApplicationStep {
  readonly atMs: number;
  readonly http?: HttpAction;
  readonly restart?: true;
  readonly wait?: { readonly real: string };
  readonly until?: Readonly<Record<string, unknown>>;
}

/** Machine milliseconds without a call or a delivery after which the application counts as idle. */
const quietMs = 200;
/** The same between two jobs of the account, where only a reaction to an event may follow. */
const settleReal = '60ms';
const lookMs = 60;
/** Limit of the machine time that one play waits for responses that never come. */
const hangMs = 16_000;
/** A user waits this long for a response, or for a state. */
const userMs = 15_000;
/** After so many failures in a row, more account time is what the application needs. */
const mostFailures = 3;
const firstRetries = '6m';
/** Later than the last retry of a delivery. */
const afterwards = '30h';

interface Parts {
  readonly account: SandboxAccount;
  readonly calls: () => readonly SeenCall[];
  readonly application: ApplicationProcess;
  readonly placed: Placed | null;
  readonly patience: Patience;
  readonly said: () => Promise<unknown>;
  readonly graceMs: number;
  /** Machine milliseconds in which the application makes its first call after its start. */
  readonly firstCallMs: number;
}

interface StoryParts {
  readonly steps: readonly ApplicationStep[];
  readonly beganMs: number;
  readonly endMs: number;
  readonly afterStep: (nth: number) => Promise<void>;
}

export class StoryTime {
  /** What the application answered to its users. */
  readonly answers: string[] = [];
  /** The first problem of a user. */
  failure: string | null = null;
  /** Whether it made a call before the first step. */
  hasCalled = false;
  #waitedForMs = 0;

  constructor(private readonly parts: Parts) {}

  /** Restarts the application when it is idle: of a call that is cut off, nobody knows the outcome. */
  async restart(): Promise<void> {
    await this.#calm();
    const problem = await this.parts.application.restart();
    if (problem !== null) this.failure ??= problem;
  }

  async play({ steps, beganMs, endMs, afterStep }: StoryParts): Promise<void> {
    await this.#begun();
    for (const [i, step] of steps.entries()) {
      await this.#advance(beganMs + step.atMs);
      if (step.restart === true) await this.restart();
      else await this.#act(step);
      await afterStep(i + 1);
    }
    await this.#advance(beganMs + endMs);
    const { placed } = this.parts;
    // Covers the first retries. The hours that follow close the window, so replies to these retries must arrive before.
    const retry = () => this.#pass(firstRetries);
    const isLate = placed?.point.when === 'webhook.deliver';
    if (isLate) await retry();
    await this.#settled(beganMs);
    if (!isLate) await retry();
    await this.#calm();
    await this.#pass(afterwards);
  }

  async #advance(toMs: number): Promise<void> {
    const { account } = this.parts;
    await this.#calm();
    const nowMs = Date.parse(await account.clock.now());
    if (toMs > nowMs) await this.#pass(`${toMs - nowMs}ms`);
  }

  async #begun(): Promise<void> {
    const { calls, firstCallMs } = this.parts;
    const endMs = machineTime.monotonic() + firstCallMs;
    while (machineTime.monotonic() < endMs) {
      this.hasCalled = calls().length > 0;
      if (this.hasCalled) return;
      await pause(lookMs);
    }
  }

  async #pass(by: string): Promise<void> {
    await this.parts.account.clock.advance({ by, settleReal }).catch((error: unknown) => {
      // The clock passes with the machine, so that it may be there already.
      if (!(error instanceof SandboxError) || error.code !== 'validation_error') throw error;
    });
  }

  /** Waits until the application makes no more calls, and has repeated a failed one, as long as it may take for that. */
  async #calm(): Promise<void> {
    const { calls, patience, placed } = this.parts;
    let [seenSeq, sinceMs] = [-1, machineTime.monotonic()];
    const mostMs = Math.min(hangMs, patience.realMs === 0 ? 3_000 : patience.realMs);
    for (;;) {
      const latest = calls().slice(-mostFailures).reverse();
      const nowMs = machineTime.monotonic();
      const seq = latest[0]?.seq ?? 0;
      if (seq !== seenSeq) [seenSeq, sinceMs] = [seq, nowMs];
      const idleMs = nowMs - sinceMs;
      // A call without a response lasts until the application's own timeout.
      const limitMs = placed?.fault.id === 'hang' && latest[0]?.status === null ? hangMs : mostMs;
      const waits = isBad(latest[0]) && !(latest.length === mostFailures && latest.every(isBad));
      const isOver = waits ? idleMs >= limitMs || this.#waitedForMs >= 2 * hangMs : idleMs >= quietMs;
      if (isOver) {
        if (waits) this.#waitedForMs += idleMs;
        return;
      }
      await pause(lookMs);
    }
  }

  /** Gives an application that waits in real time the time that it needs, but no more than until the expected end. */
  async #settled(beganMs: number): Promise<void> {
    const { account, patience, graceMs, said } = this.parts;
    const isLearning = patience.realMs === 0;
    const untilRealMs = machineTime.monotonic() + graceMs + patience.realMs;
    for (;;) {
      // Messages that an application sends late also have status reports and events.
      await this.#pass('5s');
      if (!isLearning) {
        const facts = await readFacts(account, new Date(beganMs).toISOString());
        const run = {
          facts: merged([facts]),
          accounts: [facts],
          said: await said(),
          failure: this.failure,
          timedOut: false,
        };
        if (patience.isOver(run)) return;
      }
      if (machineTime.monotonic() >= untilRealMs) return;
      await pause(2 * lookMs);
    }
  }

  async #act({ http, wait, until }: ApplicationStep): Promise<void> {
    if (http) return this.#call(http);
    if (wait) return pause(parseDuration(wait.real));
    if (!until) return;
    const { application, patience } = this.parts;
    const endMs = machineTime.monotonic() + userMs + patience.realMs;
    while (!isDeepStrictEqual(await application.read(Object.keys(until)), until)) {
      patience.signal.throwIfAborted();
      if (machineTime.monotonic() > endMs) {
        this.failure ??= `the application did not get to ${JSON.stringify(until)}`;
        return;
      }
      await pause(lookMs);
    }
  }

  async #call(http: HttpAction): Promise<void> {
    const { method = http.body === undefined ? 'GET' : 'POST', url } = http;
    const { application, placed } = this.parts;
    // A call that never gets a response also keeps the user waiting.
    const patientMs = placed?.fault.id === 'hang' ? 2 * userMs : userMs;
    const response = await within(patientMs, application.call(http));
    const status = response === 'late' ? null : response.status;
    this.answers.push(`${method} ${url} got ${status ?? 'no response'}`);
    if (status === null || status >= 500) {
      this.failure ??= `${method} ${url} got ${status === null ? 'no response' : `the response ${status}`}`;
    }
  }
}

/** Whether the application can be expected to repeat a call; nothing unlocks a code. */
const isBad = (request: SeenCall | undefined): boolean =>
  request !== undefined &&
  request.error !== 'otp_max_attempts' &&
  (request.status === null || request.status === 429 || request.status >= 500);
