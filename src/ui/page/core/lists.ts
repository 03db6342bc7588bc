/** The lists of one account: a collection for each list of the control plane. */
import type { Api } from './api.js';
import { Collection, type ReadPage } from './collection.js';
import type {
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

/** Number of conversations that stay loaded in addition to the open one. */
const mostConversations = 12;

/** The query of a page before a record, latest first. */
const page = (before: number | null, limit: number) => ({
  query: { order: 'desc' as const, limit, ...(before !== null && { before }) },
});

export class AccountLists {
  readonly #api: Api;
  readonly #conversations = new Map<string, Collection<HandsetMessage>>();
  readonly customers: Collection<Customer>;
  /** The account's messages without codes; messages with codes are in `otps` and in the conversations. */
  readonly messages: Collection<Message>;
  readonly templates: Collection<Template>;
  readonly otps: Collection<Otp>;
  readonly webhooks: Collection<Endpoint>;
  readonly events: Collection<Event>;
  readonly deliveries: Collection<Delivery>;
  readonly requests: Collection<JournalRequest>;
  /** Rules added at run time; the scenario's rules come with the scenario. */
  readonly rules: Collection<Rule>;
  readonly #own: Collection<Sequenced>[] = [];

  constructor(api: Api) {
    this.#api = api;
    const list = <T extends Sequenced>(...how: ConstructorParameters<typeof Collection<T>>): Collection<T> => {
      const made = new Collection(...how);
      this.#own.push(made as unknown as Collection<Sequenced>);
      return made;
    };
    const byId = <T extends Sequenced & { readonly id: string }>(page: ReadPage<T>, one?: (id: string) => Promise<T>) =>
      list(page, ({ id }) => id, one);
    this.customers = list(
      (...at) => api.get('/_sandbox/customers', page(...at)),
      ({ phone }) => phone,
    );
    this.messages = list(
      async (...at) => {
        const { items, next } = await api.get('/_sandbox/messages', page(...at));
        return { items: items.filter((row) => row.direction === 'outbound'), next };
      },
      (row) => row.message_id,
    );
    this.otps = list(
      (...at) => api.get('/_sandbox/otps', page(...at)),
      (row) => row.otp_id,
      (id) => api.get('/_sandbox/otps/{otp_id}', { path: { otp_id: id } }),
    );
    this.templates = byId(
      (...at) => api.get('/_sandbox/templates', page(...at)),
      (id) => api.get('/_sandbox/templates/{id}', { path: { id } }),
    );
    this.webhooks = byId((...at) => api.get('/_sandbox/webhooks', page(...at)));
    this.events = byId((...at) => api.get('/_sandbox/events', page(...at)));
    this.deliveries = byId(
      (...at) => api.get('/_sandbox/deliveries', page(...at)),
      (id) => api.get('/_sandbox/deliveries/{id}', { path: { id } }),
    );
    this.requests = byId(
      (...at) => api.get('/_sandbox/requests', page(...at)),
      (id) => api.get('/_sandbox/requests/{id}', { path: { id } }),
    );
    this.rules = byId((...at) => api.get('/_sandbox/rules', page(...at)));
  }

  /** Both directions of one customer's conversation. */
  conversation(phone: string): Collection<HandsetMessage> {
    const known = this.#conversations.get(phone);
    if (known) return known;
    const made = new Collection<HandsetMessage>(
      (...at) => this.#api.get('/_sandbox/customers/{phone}/messages', { path: { phone }, ...page(...at) }),
      (row) => row.message_id,
    );
    this.#conversations.set(phone, made);
    const [oldest] = this.#conversations.keys();
    if (this.#conversations.size > mostConversations && oldest !== undefined) this.#conversations.delete(oldest);
    return made;
  }

  /** Returns the conversation if it is loaded. */
  knownConversation(phone: string): Collection<HandsetMessage> | undefined {
    return this.#conversations.get(phone);
  }

  /** Retries the lists that could not be read. */
  retry(): void {
    for (const list of this.#all()) list.retry();
  }

  /** Reads the loaded lists again; the others stay unread. */
  readAgain(): void {
    for (const list of this.#all()) if (list.state.peek() !== 'idle') void list.reload();
  }

  /** Removes the rows, and reads the loaded lists again. */
  startOver(): void {
    for (const list of this.#all()) list.startOver();
  }

  #all(): Collection<Sequenced>[] {
    return [...this.#own, ...this.#conversations.values()] as Collection<Sequenced>[];
  }
}
