/**
 * The data of one account on the page: its lists, which the frames of the live stream update, its scenario and its
 * clock. Panels read its signals and call `ensure()` for the data that they show.
 */
import { batch, signal } from '@preact/signals';
import { Advances } from './advance.js';
import { hearAlert } from './alerts.js';
import { act, Api } from './api.js';
import { every, later, monotonicMs } from './browser.js';
import { LiveClock } from './clock.js';
import type { Collection } from './collection.js';
import { withMessage } from './last-message.js';
import { AccountLists } from './lists.js';
import { type Frame, LiveStream } from './live.js';
import type { ActiveScenario, Clock, HandsetMessage, Rule, Sequenced } from './records.js';
import type { Site } from './snippets.js';

/** Milliseconds of real time between two reads of the clock's pending jobs while the account changes. */
const clockPauseMs = 400;

export class AccountModel extends AccountLists {
  readonly key: string;
  /** Used by calls that are shown as code. */
  readonly site: Site;
  readonly api: Api;
  readonly clock = new LiveClock(tick, monotonicMs);
  readonly advances: Advances;
  readonly stream: LiveStream;
  /** The active scenario with its rules; null until it has loaded. */
  readonly scenario = signal<ActiveScenario | null>(null);
  /**
   * Changes when the known data becomes invalid: after a reset, a restored snapshot, or another start of the sandbox.
   */
  readonly lives = signal(0);

  /** The lists whose records arrive whole, by the nouns of the frames. */
  readonly #listOf = {
    customer: this.customers,
    template: this.templates,
    otp: this.otps,
    webhook: this.webhooks,
    event: this.events,
    delivery: this.deliveries,
    request: this.requests,
  } as unknown as Readonly<Record<string, Collection<Sequenced> | undefined>>;
  readonly #listeners = new Set<(frame: Frame) => void>();
  #clockAsked = false;
  #opened = false;

  constructor(key: string) {
    const api = new Api(key);
    super(api);
    this.key = key;
    this.site = { origin: location.origin, key };
    this.api = api;
    this.advances = new Advances(api, this.clock, () => this.lookAtClock());
    this.stream = new LiveStream(key, {
      onFrames: (frames) => batch(() => this.#take(frames)),
      onOpen: () => batch(() => this.#open()),
    });
  }

  start(): void {
    this.stream.start();
  }

  stop(): void {
    this.stream.stop();
  }

  /**
   * Receives every frame, including kinds without a collection (`sink.received`, `expectation.judged`).
   * @returns a function that unsubscribes
   */
  onFrame(listener: (frame: Frame) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads the clock and its pending jobs, at most a few times a second. */
  lookAtClock(): void {
    if (this.#clockAsked) return;
    this.#clockAsked = true;
    later(clockPauseMs, () => {
      this.#clockAsked = false;
      void this.#readClock();
    });
  }

  async #readClock(): Promise<void> {
    // If the sandbox is unreachable, the connection indicator shows it.
    const clock = await this.api.get('/_sandbox/clock').catch(() => null);
    if (clock) this.clock.set(clock);
  }

  async readScenario(): Promise<void> {
    const scenario = await this.api.get('/_sandbox/scenario').catch(() => null);
    if (scenario) this.scenario.value = scenario;
  }

  #open(): void {
    void this.#readClock();
    void this.readScenario();
    this.readAgain();
    // The header shows the number of active rules and scenarios; the navigation counts items that wait for the user.
    for (const list of [this.rules, this.templates, this.webhooks]) list.ensureAll();
    if (this.#opened) this.lives.value += 1;
    this.#opened = true;
  }

  #take(frames: readonly Frame[]): void {
    for (const frame of frames) this.#apply(frame);
    this.advances.hear(frames);
    this.lookAtClock();
  }

  #apply(frame: Frame): void {
    const { kind, data, at } = frame;
    this.clock.seen(at);
    const [noun = kind] = kind.split('.', 1);
    const list = this.#listOf[noun];
    if (kind === 'webhook.deleted') this.webhooks.drop(String(data['id']));
    else if (kind === 'request.cleared') this.requests.clear();
    else if (list) list.put(data as unknown as Sequenced);
    else if (noun === 'message') this.#takeMessage(data as unknown as HandsetMessage);
    else if (noun === 'rule') this.#takeRule(kind, data);
    else if (noun === 'scenario') void this.readScenario();
    else if (noun === 'clock') this.clock.set(data as unknown as Clock);
    else if (noun === 'reset') {
      // A reset, or a restored snapshot: the loaded lists are read again.
      this.lives.value += 1;
      this.startOver();
      void this.readScenario();
      void this.#readClock();
    }
    hearAlert(frame);
    for (const listener of this.#listeners) listener(frame);
  }

  #takeMessage(message: HandsetMessage): void {
    const phone = message.direction === 'inbound' ? message.from : message.to;
    this.knownConversation(phone)?.put(message);
    if (message.direction === 'outbound' && message.otp_id === undefined) this.messages.put(message);
    const customer = this.customers.get(phone);
    const seen = customer && withMessage(customer, message);
    if (seen && seen !== customer) this.customers.put(seen);
  }

  #takeRule(kind: string, data: Frame['data']): void {
    const id = String(data['id']);
    if (kind === 'rule.deleted') this.rules.drop(id);
    else if (kind === 'rule.created') this.rules.put(data as unknown as Rule);
    else {
      const hit = data as unknown as Pick<Rule, 'hits' | 'last_hit'>;
      const rule = this.rules.get(id);
      if (rule) this.rules.put({ ...rule, ...hit });
      const { scenario } = this;
      if (scenario.value?.rules.some((each) => each.id === id)) {
        const rules = scenario.value.rules.map((each) => (each.id === id ? { ...each, ...hit } : each));
        scenario.value = { ...scenario.value, rules };
      }
    }
  }
}

const tick = signal(0);

every(250, () => {
  tick.value += 1;
});

export async function restartScenario({ api, scenario }: AccountModel): Promise<void> {
  const active = scenario.value;
  if (!active || active.name === null) return;
  const { name, file, source } = active;
  const isFile = file !== null && file !== 'request body';
  const again =
    isFile || source === null
      ? api.put('/_sandbox/scenario', { body: { name } })
      : api.send('put', '/_sandbox/scenario', source, 'application/yaml').then(() => api.get('/_sandbox/scenario'));
  const restarted = await act(again, `${name} was restarted.`);
  if (restarted) scenario.value = restarted;
}
