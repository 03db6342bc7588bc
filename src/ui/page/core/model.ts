/**
 * Everything the page knows of one account: a collection per list of the control plane, fed by it and by the live stream,
 * and the account's clock. Panels read signals of it and call `ensure()` on what they show.
 */
import { batch, signal } from '@preact/signals';
import { Api } from './api.js';
import { later, monotonicMs } from './browser.js';
import { LiveClock } from './clock.js';
import { Collection } from './collection.js';
import { withMessage } from './last-message.js';
import { LiveStream, type Frame } from './live.js';
import type {
  ActiveScenario,
  Customer,
  Delivery,
  Endpoint,
  Event,
  HandsetMessage,
  JournalRequest,
  Message,
  Otp,
  Rule,
  Sequenced,
  Template,
} from './records.js';
import { tick } from './tick.js';

/** Conversations kept at hand beside the one that is open. */
const mostConversations = 12;
/** Milliseconds of real time between two looks at the clock's pending jobs while things happen. */
const clockPauseMs = 400;

export class AccountModel {
  readonly key: string;
  readonly api: Api;
  readonly clock = new LiveClock(tick, monotonicMs);
  readonly stream: LiveStream;
  /** The active scenario with its rules; null until it was read. */
  readonly scenario = signal<ActiveScenario | null>(null);

  readonly customers: Collection<Customer>;
  /** What the account sent, codes left out: they are in `otps` and in the conversations. */
  readonly messages: Collection<Message>;
  readonly templates: Collection<Template>;
  readonly otps: Collection<Otp>;
  readonly webhooks: Collection<Endpoint>;
  readonly events: Collection<Event>;
  readonly deliveries: Collection<Delivery>;
  readonly requests: Collection<JournalRequest>;
  /** Added at run time; the scenario's are in `scenario`. */
  readonly rules: Collection<Rule>;

  readonly #listeners = new Set<(frame: Frame) => void>();
  readonly #conversations = new Map<string, Collection<HandsetMessage>>();
  #clockAsked = false;

  constructor(key: string) {
    this.key = key;
    const api = (this.api = new Api(key));
    const page = (before: number | null, limit: number) => ({
      query: { order: 'desc' as const, limit, ...(before !== null && { before }) },
    });
    this.customers = new Collection(
      (...at) => api.get('/_sandbox/customers', page(...at)),
      ({ phone }) => phone,
    );
    this.messages = new Collection(
      (...at) => api.get('/_sandbox/messages', page(...at)),
      (row) => row.message_id,
    );
    this.templates = new Collection(
      (...at) => api.get('/_sandbox/templates', page(...at)),
      ({ id }) => id,
    );
    this.otps = new Collection(
      (...at) => api.get('/_sandbox/otps', page(...at)),
      (row) => row.otp_id,
    );
    this.webhooks = new Collection(
      (...at) => api.get('/_sandbox/webhooks', page(...at)),
      ({ id }) => id,
    );
    this.events = new Collection(
      (...at) => api.get('/_sandbox/events', page(...at)),
      ({ id }) => id,
    );
    this.deliveries = new Collection(
      (...at) => api.get('/_sandbox/deliveries', page(...at)),
      ({ id }) => id,
    );
    this.requests = new Collection(
      (...at) => api.get('/_sandbox/requests', page(...at)),
      ({ id }) => id,
    );
    this.rules = new Collection(
      (...at) => api.get('/_sandbox/rules', page(...at)),
      ({ id }) => id,
    );
    this.stream = new LiveStream(key, {
      onFrames: (frames) => batch(() => this.#take(frames)),
      onOpen: (anew) => this.#opened(anew),
    });
  }

  start(): void {
    this.stream.start();
  }

  stop(): void {
    this.stream.stop();
  }

  /** Hears every frame, those of kinds that no collection takes too (`sink.received`, `expectation.judged`). @returns how to end that */
  onFrame(listener: (frame: Frame) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Both directions of one customer's conversation. */
  conversation(phone: string): Collection<HandsetMessage> {
    const known = this.#conversations.get(phone);
    if (known) return known;
    const made = new Collection<HandsetMessage>(
      (before, limit) =>
        this.api.get('/_sandbox/customers/{phone}/messages', {
          path: { phone },
          query: { order: 'desc', limit, ...(before !== null && { before }) },
        }),
      (row) => row.message_id,
    );
    this.#conversations.set(phone, made);
    const [oldest] = this.#conversations.keys();
    if (this.#conversations.size > mostConversations && oldest !== undefined) this.#conversations.delete(oldest);
    return made;
  }

  /** Asks for the clock and its pending jobs, at most a few times a second. */
  lookAtClock(): void {
    if (this.#clockAsked) return;
    this.#clockAsked = true;
    later(clockPauseMs, () => {
      this.#clockAsked = false;
      void this.#readClock();
    });
  }

  async #readClock(): Promise<void> {
    // When the sandbox is away the connection says so.
    const clock = await this.api.get('/_sandbox/clock').catch(() => null);
    if (clock) this.clock.set(clock);
  }

  async readScenario(): Promise<void> {
    const scenario = await this.api.get('/_sandbox/scenario').catch(() => null);
    if (scenario) this.scenario.value = scenario;
  }

  #lists(): Collection<Sequenced>[] {
    const own = [
      this.customers,
      this.messages,
      this.templates,
      this.otps,
      this.webhooks,
      this.events,
      this.deliveries,
      this.requests,
      this.rules,
    ];
    return [...own, ...this.#conversations.values()] as unknown as Collection<Sequenced>[];
  }

  #opened(anew: boolean): void {
    void this.#readClock();
    void this.readScenario();
    this.rules.ensure();
    // What waits for a review is counted in the navigation.
    this.templates.ensure();
    if (anew) this.#readAgain();
    else for (const list of this.#lists()) if (list.state.peek() === 'failed') void list.reload();
  }

  #readAgain(): void {
    for (const list of this.#lists()) if (list.state.peek() !== 'idle') void list.reload();
  }

  #take(frames: readonly Frame[]): void {
    for (const frame of frames) this.#apply(frame);
    this.lookAtClock();
  }

  #apply(frame: Frame): void {
    const { kind, data, at } = frame;
    this.clock.seen(at);
    const [noun = kind] = kind.split('.', 1);
    switch (noun) {
      case 'message':
        this.#takeMessage(data as unknown as HandsetMessage);
        break;
      case 'customer':
        this.customers.put(data as unknown as Customer);
        break;
      case 'template':
        this.templates.put(data as unknown as Template);
        break;
      case 'otp':
        this.otps.put(data as unknown as Otp);
        break;
      case 'webhook':
        if (kind === 'webhook.deleted') this.webhooks.drop(String(data['id']));
        else this.webhooks.put(data as unknown as Endpoint);
        break;
      case 'event':
        this.events.put(data as unknown as Event);
        break;
      case 'delivery':
        this.deliveries.put(data as unknown as Delivery);
        break;
      case 'request':
        if (kind === 'request.cleared') this.requests.clear();
        else this.requests.put(data as unknown as JournalRequest);
        break;
      case 'rule':
        this.#takeRule(kind, data);
        break;
      case 'scenario':
        void this.readScenario();
        break;
      case 'clock':
        this.clock.set(data as unknown as Parameters<LiveClock['set']>[0]);
        break;
      case 'reset':
        this.#startOver();
        break;
    }
    for (const listener of this.#listeners) listener(frame);
  }

  #takeMessage(message: HandsetMessage): void {
    const phone = message.direction === 'inbound' ? message.from : message.to;
    this.#conversations.get(phone)?.put(message);
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

  /** A reset or a restored snapshot: what is shown may be gone, and what is kept is read again. */
  #startOver(): void {
    for (const list of this.#lists()) if (list.state.peek() !== 'idle') list.clear();
    this.#readAgain();
    void this.readScenario();
    void this.#readClock();
  }
}
