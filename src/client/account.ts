/** The API for tests of one account, in this process or elsewhere. */
import { clockControl, instant, type ClockControl } from './clock.js';
import { type Connection, listAll, type Method, withQuery } from './connection.js';
import { customerControl, type CustomerControl } from './customer.js';
import {
  ruleControl,
  type RuleControl,
  sinkControl,
  type SinkControl,
  snapshotControl,
  type SnapshotControl,
  templateControl,
  type TemplateControl,
  webhookControl,
  type WebhookControl,
} from './controls.js';
import { SandboxError } from './sandbox-error.js';
import { scenarioControl, type ScenarioControl } from './scenario.js';
import type {
  ClockInput,
  Coverage,
  Customer,
  CustomerFilter,
  Delivery,
  DeliveryFilter,
  Duration,
  EmitResult,
  EventFilter,
  EventOf,
  EventType,
  IdleResult,
  InboundMessage,
  JournalRequest,
  Keep,
  Message,
  MessageFilter,
  Operation,
  Otp,
  OtpFilter,
  RequestFilter,
  ScenarioInput,
  Timestamp,
  WebhookSlot,
} from './types.js';
import { waitControl, type WaitControl } from './wait-for.js';

/** The endpoint for which an event is emitted, and the faults of its delivery. */
export interface EmitOptions {
  /** Sends only to this endpoint, subscribed or not. */
  readonly webhookId?: string;
  readonly webhook?: WebhookSlot;
}

/** One account, which belongs to one API key. Every call rejects with a `SandboxError` if the sandbox rejects it. */
export interface SandboxAccount {
  /** Base URL for the application under test: its paths begin with `/v1`. */
  readonly url: string;
  /** The key for the application under test; it names the account. */
  readonly apiKey: string;
  readonly clock: ClockControl;
  readonly templates: TemplateControl;
  readonly webhooks: WebhookControl;
  readonly scenario: ScenarioControl;
  readonly rules: RuleControl;
  readonly snapshot: SnapshotControl;
  readonly waitFor: WaitControl;
  /** The person behind a number in E.164. */
  customer(phone: string): CustomerControl;
  /** The built-in receiver of this name. */
  sink(name: string): SinkControl;
  /** The messages of the account, each with the explanation of its outcome. */
  messages(filter?: MessageFilter & { readonly direction?: 'outbound' }): Promise<Message[]>;
  /** Messages from customers. */
  messages(filter: MessageFilter & { readonly direction: 'inbound' }): Promise<InboundMessage[]>;
  events<Type extends EventType = EventType>(filter?: EventFilter & { readonly type?: Type }): Promise<EventOf<Type>[]>;
  /** Deliveries of events to endpoints, with every attempt. */
  deliveries(filter?: DeliveryFilter): Promise<Delivery[]>;
  otps(filter?: OtpFilter): Promise<Otp[]>;
  /**
   * The latest one-time code sent to a number.
   * @throws SandboxError `not_found` if there is none
   */
  otp(to: string): Promise<Otp>;
  /** The journal: calls of the API plane. With an `operation` by its operationId, `request.body` has the type of its body. */
  requests<Called extends Operation>(
    filter: RequestFilter & { readonly operation: Called },
  ): Promise<JournalRequest<Called>[]>;
  requests(filter?: RequestFilter): Promise<JournalRequest[]>;
  /** All customers who sent or received a message. */
  customers(filter?: CustomerFilter): Promise<Customer[]>;
  /** Redelivers an event with the same bytes, to every subscribed endpoint or to one. */
  redeliver(eventId: string, options?: EmitOptions): Promise<EmitResult>;
  /** Sends a signed event now; missing fields of its data are generated. */
  emit<Type extends EventType>(
    type: Type,
    data?: Partial<EventOf<Type>['data']>,
    options?: EmitOptions,
  ): Promise<EmitResult>;
  /** Returns when no delivery is in flight and nothing is due. `timeout` is real time (default: 10s, at most 60s). */
  idle(timeout?: Duration): Promise<IdleResult>;
  /** The part of the service's API that this account has exercised. */
  coverage(): Promise<Coverage>;
  /**
   * The history as the text of a scenario that reproduces it; with a format, as a test, an archive or a file of
   * requests.
   */
  record(options?: RecordOptions): Promise<string>;
  /**
   * Empties the account. The options name the parts to keep, or its new start: `reset({ clock: { mode: 'frozen', now },
   * scenario })`.
   */
  reset(how?: readonly Keep[] | ResetOptions): Promise<void>;
  /**
   * Copies the current state of this account to a new key, with its clock frozen.
   * @throws SandboxError `name_taken`
   */
  fork(to: string): Promise<SandboxAccount>;
  /** Another account of the same sandbox; created on first use. */
  account(apiKey: string): SandboxAccount;
  /** Deletes this account with all its data. The next call with its key starts a new account. */
  remove(): Promise<void>;
  /** Makes any call to either plane, for operations without a method here. A text response is returned as a string. */
  call<T>(method: Method, path: string, body?: object): Promise<T>;
}

/** The format of a recording, and the `seq` of its first and last record. */
export interface RecordOptions {
  readonly format?: 'scenario' | 'har';
  readonly from?: number;
  readonly to?: number;
}

/** The parts to keep, and the new start of the account. */
export interface ResetOptions {
  readonly keep?: readonly Keep[];
  /** Any instant; it overrides the clock of the scenario. */
  readonly clock?: Omit<ClockInput, 'now'> & { readonly now?: Date | Timestamp };
  /** The name of a known scenario, or a complete scenario. */
  readonly scenario?: string | ScenarioInput;
}

function resetInput(how: readonly Keep[] | ResetOptions): object {
  if (Array.isArray(how)) return { keep: how };
  const { clock, ...rest } = how as ResetOptions;
  if (!clock) return rest;
  return { ...rest, clock: { ...clock, now: clock.now && instant(clock.now) } };
}

export function sandboxAccount(connection: Connection): SandboxAccount {
  const otps = (filter: OtpFilter = {}) => listAll<Otp>(connection, '/_sandbox/otps', filter);
  return {
    url: connection.url,
    apiKey: connection.key,
    clock: clockControl(connection),
    templates: templateControl(connection),
    webhooks: webhookControl(connection),
    scenario: scenarioControl(connection),
    rules: ruleControl(connection),
    snapshot: snapshotControl(connection),
    waitFor: waitControl(connection),
    customer: (phone) => customerControl(connection, phone),
    sink: (name) => sinkControl(connection, name),
    messages: <Item>(filter?: MessageFilter) => listAll<Item>(connection, '/_sandbox/messages', filter),
    events: (filter) => listAll(connection, '/_sandbox/events', filter),
    deliveries: (filter) => listAll(connection, '/_sandbox/deliveries', filter),
    otps,
    otp: async (to) => {
      const [latest] = await otps({ to, order: 'desc', limit: 1 });
      if (latest) return latest;
      const message = `No one-time code was sent to ${to}. Send one with POST /v1/otp/send, or await waitFor.otp({ to }).`;
      throw new SandboxError({ code: 'not_found', message });
    },
    // The list shows no bodies, and a test wants them: each call is read on its own.
    requests: async <Item>(filter?: RequestFilter) => {
      const listed = await listAll<{ id: string }>(connection, '/_sandbox/requests', filter);
      return Promise.all(listed.map(({ id }) => connection.call<Item>('GET', `/_sandbox/requests/${id}`)));
    },
    customers: (filter) => listAll(connection, '/_sandbox/customers', filter),
    redeliver: (eventId, { webhookId: webhook_id, webhook } = {}) =>
      connection.call('POST', `/_sandbox/events/${encodeURIComponent(eventId)}/redeliver`, { webhook_id, webhook }),
    emit: (type, data, { webhookId: webhook_id, webhook } = {}) =>
      connection.call('POST', '/_sandbox/events', { type, data, webhook_id, webhook }),
    idle: (timeout) => connection.call('POST', withQuery('/_sandbox/idle', { timeout })),
    coverage: () => connection.call('GET', '/_sandbox/coverage'),
    record: async (options = {}) => {
      const answer = await connection.call<string | object>('GET', withQuery('/_sandbox/record', { ...options }));
      return typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2);
    },
    reset: async (how = {}) => {
      await connection.call('POST', '/_sandbox/reset', resetInput(how));
    },
    fork: async (to) => {
      const path = `/_sandbox/accounts/${encodeURIComponent(connection.key)}/fork`;
      await connection.call('POST', path, { to });
      return sandboxAccount(connection.as(to));
    },
    account: (apiKey) => sandboxAccount(connection.as(apiKey)),
    remove: () =>
      connection.remove(`/_sandbox/accounts/${encodeURIComponent(connection.key)}`).catch((error: unknown) => {
        // An account that no call has changed does not exist yet.
        if (!(error instanceof SandboxError) || error.code !== 'not_found') throw error;
      }),
    call: (method, path, body) => connection.call(method, path, body),
  };
}
