import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { Advances } from './advance.js';
import { type Api, apiOf } from './api.js';
import { LiveClock } from './clock.js';
import { type Frame, type LiveStream, liveStream } from './live.js';
import type { ActiveScenario, Clock, Info, Noun } from './records.js';
import { repeating } from './repeater.js';
import { leaveAccount } from './toasts.js';

/** The least milliseconds between two reads of the clock, whose number of pending jobs no frame reports. */
const clockPauseMs = 1000;
/** The least milliseconds between two reads for what the user has done, who may redeliver a thousand events at once. */
const ownPauseMs = 200;

export class AccountModel {
  readonly api: Api;
  readonly clock = new LiveClock();
  readonly advances: Advances;
  readonly stream: LiveStream;
  /** Null until the page is connected. */
  readonly info = signal<Info | null>(null);
  /** The active scenario with its rules; null until it has loaded. */
  readonly scenario = signal<ActiveScenario | null>(null);
  /** The sandbox was started again and has forgotten everything, until the user has dismissed it. */
  readonly lost = signal(false);

  readonly #ownReader = repeating(() => this.#readNow(), ownPauseMs);
  readonly #clockReader = repeating(() => this.#readClock(), clockPauseMs);
  readonly #listeners = new Set<(changed: ReadonlySet<string>, now: boolean) => void>();

  constructor(readonly key: string) {
    this.api = apiOf(key, () => this.readNow());
    this.advances = new Advances(this.api, this.clock);
    this.stream = liveStream(
      key,
      (frame) => batch(() => this.#take(frame)),
      (info, restarted) => batch(() => this.#open(info, restarted)),
    );
  }

  get site() {
    return { origin: location.origin, key: this.key };
  }

  /**
   * Calls `work` when a record of one of these kinds has changed, or everything has to be read again.
   * @returns a function that ends it
   */
  onChange(nouns: readonly Noun[], work: (now: boolean) => void): () => void {
    const listener = (changed: ReadonlySet<string>, now: boolean) => {
      if (changed.has('reset') || nouns.some((noun) => changed.has(noun))) work(now);
    };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads at once what can change, because the user has changed something: the stream reports it later. */
  readNow(): void {
    this.#ownReader.ask();
  }

  lookAtClock(): void {
    this.#clockReader.ask();
  }

  /** From now on, nothing is read: a call with its key would create a deleted account again. */
  stop(): void {
    this.stream.stop();
    this.#clockReader.stop();
    this.#ownReader.stop();
  }

  async readScenario(): Promise<void> {
    // If the sandbox is unreachable, a strip at the top of the web UI shows it.
    const scenario = await this.api.get('/_sandbox/scenario').catch(() => null);
    if (scenario) this.scenario.value = scenario;
  }

  #readNow(): Promise<void> {
    for (const listener of this.#listeners) listener(new Set(['reset']), true);
    this.#clockReader.ask(true);
    return Promise.resolve();
  }

  async #readClock(): Promise<void> {
    const clock = await this.api.get('/_sandbox/clock').catch(() => null);
    if (clock) this.clock.set(clock);
  }

  #open(info: Info, restarted: boolean): void {
    this.info.value = info;
    if (restarted && info.mode === 'memory') this.lost.value = true;
    this.lookAtClock();
    void this.readScenario();
  }

  #take({ kind, data, at }: Frame): void {
    this.clock.seen(at);
    if (kind === 'clock.changed') this.clock.set(data as unknown as Clock);
    // A scenario that is gone has no verdict to be asked for while the next one is read.
    const isGone = kind === 'reset' ? data['reason'] !== 'connected' : kind === 'scenario.changed' && !data['name'];
    if (isGone) this.scenario.value = null;
    const counts = kind === 'changes' ? (data as Readonly<Record<string, number>>) : { [kind]: 1 };
    const nouns = new Set(Object.keys(counts).map((each) => each.split('.', 1)[0] ?? each));
    for (const listener of this.#listeners) listener(nouns, false);
    if (['scenario', 'rule', 'reset'].some((noun) => nouns.has(noun))) void this.readScenario();
    this.advances.count(counts);
    this.lookAtClock();
  }
}

const current = signal<AccountModel | null>(null);

export const shown: ReadonlySignal<AccountModel | null> = current;

/** The account on the page. Views inside the shell always have one. */
export const model = computed(() => {
  if (current.value === null) throw new Error('no account is shown yet');
  return current.value;
});

export function show(key: string): void {
  if (current.peek()?.key === key) return;
  if (current.peek()) leaveAccount();
  hide();
  current.value = new AccountModel(key);
  void current.value.stream.connect();
}

/** Ends the current session, so that another token can start a new one. */
export function hide(): void {
  current.peek()?.stop();
  current.value = null;
}
