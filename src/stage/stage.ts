/**
 * An account for the runner of a program: its time waits for the program, and its verdict is read before the program
 * stops.
 */
import type { Account } from '../account/account.js';
import { activeId } from '../domain/words.js';
import type { KnownPace } from '../time/quiet.js';
import { pause } from '../time/system-clock.js';
import { Unread } from './application-user.js';
import { sayEnd, type SaidEnd } from './end.js';
import { firstCall, freeze, isReachable, play, type PlayOptions, setPace, untilReady } from './play.js';
import { scenarioEndMs, unmetExpectations, type UnmetExpectation, type VerdictCheck } from './verdict.js';
import { type AccountVerdict, type EndedVerdicts, verdictsBeside } from './verdicts.js';

interface AllAccounts {
  all(): Iterable<Account>;
  readonly ended: EndedVerdicts;
}

/** Machine milliseconds in which calls after the end are noticed. */
const afterMs = 150;

export class Stage {
  constructor(
    private readonly account: Account,
    private readonly accounts: AllAccounts,
  ) {}

  get secrets(): readonly { readonly alias: string; readonly secret: string }[] {
    const { endpoints } = this.account.store.tables;
    return [...endpoints.all()].flatMap(({ alias, secret }) => (alias === undefined ? [] : [{ alias, secret }]));
  }

  get calls(): number {
    return this.account.quiet.calls;
  }

  /** Calls that got a 4xx. */
  get rejections(): number {
    return this.account.quiet.rejections;
  }

  get isWaiting(): boolean {
    return this.account.quiet.isWaiting;
  }

  /** True if a webhook or the first step reaches the application, so that it need not call first. */
  get isReachable(): boolean {
    return isReachable(this.account);
  }

  /** The clock stops at the activation, whatever mode the scenario sets. */
  freeze(): void {
    freeze(this.account);
  }

  /** The pace of the program before it is played: it may repeat a call while it starts. */
  know(pace: KnownPace): void {
    this.account.quiet.know(pace);
  }

  /** A second passes for each second that the program needs after its first call. */
  untilReady<T>(ready: Promise<T>): Promise<T> {
    return untilReady(this.account, ready);
  }

  /** Waits until the application is idle. `graceMs` is the longest wait, in machine milliseconds. */
  firstCall(graceMs: number, signal: AbortSignal): Promise<void> {
    return firstCall(this.account, graceMs, signal);
  }

  /** Lets time pass, unless somebody has moved the clock. */
  begin(quietMs: number): void {
    this.#pass({ quietMs });
    this.release();
  }

  /** Time passes at once, or from the first call if a scenario plans something. */
  passFromFirstCall(pace: { readonly quietMs?: number }): void {
    const endMs = scenarioEndMs(this.account);
    if (endMs === null || endMs === this.account.script.activatedAtMs) {
      setPace(this.account, pace);
      return;
    }
    this.freeze();
    void this.account.quiet.nextCall().then(() => this.#pass(pace));
  }

  #pass(pace: { readonly quietMs?: number }): void {
    const { clock, script, scheduler } = this.account;
    const isStill = clock.mode === 'frozen' && clock.now() === script.activatedAtMs && !scheduler.advancing;
    if (isStill) setPace(this.account, pace);
  }

  release(): void {
    this.account.application.current?.begin();
  }

  async play(options: PlayOptions): Promise<SaidEnd | null> {
    const end = await play(this.account, options);
    return end && sayEnd(end);
  }

  /** A command makes an account for each test, and is no longer there. */
  async playOthers(signal: AbortSignal): Promise<void> {
    for (const other of this.accounts.all()) {
      if (signal.aborted) return;
      if (other !== this.account && other.script.scenario !== null) await play(other, { isAlone: true, signal });
    }
  }

  async callAfterTheEnd(): Promise<string | null> {
    const { quiet } = this.account;
    const before = quiet.changes;
    if (quiet.calls > 0) await pause(afterMs);
    return quiet.changes === before ? null : quiet.latestCall;
  }

  /** The verdicts so far. This account always counts: its scenario is what was played. */
  verdicts(): readonly AccountVerdict[] {
    return verdictsBeside(this.account, this.accounts.all(), this.accounts.ended);
  }

  hitsOf(id: string): number {
    return [...this.accounts.all()].reduce((sum, { store }) => sum + (store.tables.ruleHits.get(id)?.hits ?? 0), 0);
  }

  unmet(): UnmetExpectation[] {
    return unmetExpectations(this.account);
  }

  /** Steps whose response, or state, was another one than the scenario says. */
  get unmetSteps(): readonly VerdictCheck[] {
    return (this.account.store.tables.scenarios.get(activeId)?.unmet ?? []) as readonly VerdictCheck[];
  }

  get missedState(): string | undefined {
    return this.unmetSteps.find(({ that }) => that.startsWith('until'))?.expected;
  }

  async read(paths: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
    const values = Object.entries((await this.account.application.current?.read(paths)) ?? {});
    return Object.fromEntries(values.map(([path, value]) => [path, value instanceof Unread ? null : value]));
  }
}
