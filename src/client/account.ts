import { clockControl, instant } from './clock.js';
import { at, beginning, type Connection, type Method, withQuery } from './connection.js';
import {
  ruleControl,
  scenarioControl,
  sinkControl,
  snapshotControl,
  templateControl,
  webhookControl,
  type SinkControl,
} from './controls.js';
import { customerControl, type CustomerControl } from './customer.js';
import { SandboxError } from './sandbox-error.js';
import type * as t from './types.js';
import { listRequests, waitControl } from './wait-for.js';

/** Every call rejects with a `SandboxError` if the sandbox rejects it. */
export interface SandboxAccount extends ReturnType<typeof accountCalls> {
  /**
   * Copies the current state of this account to a new key, with its clock frozen.
   * @throws SandboxError `name_taken`
   */
  fork(to: string): Promise<SandboxAccount>;
  /** Another account of the same sandbox, created on first use; its calls wait until `begin` has ended. */
  account(apiKey: string, begin?: (account: SandboxAccount) => Promise<unknown>): SandboxAccount;
}

export function sandboxAccount(connection: Connection): SandboxAccount {
  return {
    ...accountCalls(connection),
    fork: async (to) => {
      await connection.call('POST', at`/_sandbox/accounts/${connection.key}/fork`, { to });
      return sandboxAccount(connection.as(to));
    },
    account: (apiKey, begin) => {
      const own = connection.as(apiKey);
      return sandboxAccount(begin ? beginning(own, () => begin(sandboxAccount(own))) : own);
    },
  };
}

export interface EmitOptions {
  /** Sends only to this endpoint, subscribed or not. */
  readonly webhookId?: string;
  readonly webhook?: t.WebhookSlot;
}

/** The `seq` of the first and last record. */
export interface RecordOptions {
  readonly format?: 'scenario' | 'har';
  readonly from?: number;
  readonly to?: number;
}

export interface ResetOptions {
  readonly keep?: readonly t.Keep[];
  /** `restart`: the same calls give the same ids as in a new account. By default, no id is given twice. */
  readonly ids?: 'go_on' | 'restart';
  /** Any instant; it overrides the clock of the scenario. */
  readonly clock?: Omit<t.ClockInput, 'now'> & { readonly now?: Date | t.Timestamp };
  /** The name of a known scenario, or a complete scenario. */
  readonly scenario?: string | t.ScenarioInput;
}

function accountCalls(connection: Connection) {
  const { call, list, key } = connection;

  function messages(filter?: t.MessageFilter & { readonly direction?: 'outbound' }): Promise<t.Message[]>;
  function messages(filter: t.MessageFilter & { readonly direction: 'inbound' }): Promise<t.InboundMessage[]>;
  function messages<Item>(filter?: t.MessageFilter): Promise<Item[]> {
    return list('/_sandbox/messages', filter);
  }

  function requests<Called extends t.Operation>(
    filter: t.RequestFilter & { readonly operation: Called },
  ): Promise<t.JournalRequest<Called>[]>;
  function requests(filter?: t.RequestFilter): Promise<t.JournalRequest[]>;
  function requests<Item>(filter?: t.RequestFilter): Promise<Item[]> {
    return listRequests(connection, filter);
  }

  const otps = (filter?: t.OtpFilter): Promise<t.Otp[]> => list('/_sandbox/otps', filter);

  return {
    /** Base URL for the application under test: its paths begin with `/v1`. */
    url: connection.url,
    /** The key for the application under test; it names the account. */
    apiKey: key,
    clock: clockControl(connection),
    templates: templateControl(connection),
    webhooks: webhookControl(connection),
    scenario: scenarioControl(connection),
    rules: ruleControl(connection),
    snapshot: snapshotControl(connection),
    waitFor: waitControl(connection),
    /** The person behind a number in E.164. */
    customer: (phone: string): CustomerControl => customerControl(connection, phone),
    /** The built-in receiver of this name. */
    sink: (name: string): SinkControl => sinkControl(connection, name),
    /** The messages of the account, each with the explanation of its outcome; or messages from customers. */
    messages,
    events: <Type extends t.EventType = t.EventType>(filter?: t.EventFilter & { readonly type?: Type }) =>
      list<t.EventOf<Type>>('/_sandbox/events', filter),
    /**
     * Deliveries of events to endpoints, with every attempt; bodies of attempts are in what `waitFor.delivery` returns.
     */
    deliveries: (filter?: t.DeliveryFilter): Promise<t.Delivery[]> => list('/_sandbox/deliveries', filter),
    otps,
    /**
     * The latest one-time code sent to a number.
     * @throws SandboxError `not_found` if there is none
     */
    otp: async (to: string): Promise<t.Otp> => {
      const [latest] = await otps({ to, order: 'desc', limit: 1 });
      if (latest) return latest;
      const message = `No one-time code was sent to ${to}. Send one with POST /v1/otp/send, or await waitFor.otp({ to }).`;
      throw new SandboxError({ code: 'not_found', message });
    },
    /**
     * The journal: calls of the API plane, with their bodies. With an `operation` by its operationId, `request.body` has
     * the type of its body.
     */
    requests,
    /** All customers who sent or received a message. */
    customers: (filter?: t.CustomerFilter): Promise<t.Customer[]> => list('/_sandbox/customers', filter),
    /** Redelivers an event with the same bytes, to every subscribed endpoint or to one. */
    redeliver: (eventId: string, { webhookId: webhook_id, webhook }: EmitOptions = {}): Promise<t.EmitResult> =>
      call('POST', at`/_sandbox/events/${eventId}/redeliver`, { webhook_id, webhook }),
    /** Sends a signed event now; missing fields of its data are generated. */
    emit: <Type extends t.EventType>(
      type: Type,
      data?: Partial<t.EventOf<Type>['data']>,
      {
        webhookId: webhook_id,
        webhook,
        allowUnknown: allow_unknown,
      }: EmitOptions & { readonly allowUnknown?: boolean } = {},
    ): Promise<t.EmitResult> => call('POST', '/_sandbox/events', { type, data, webhook_id, webhook, allow_unknown }),
    /** Returns when no delivery is in flight and nothing is due. `timeout` is real time (default: 10s, at most 60s). */
    idle: (timeout?: t.Duration): Promise<t.IdleResult> => call('POST', withQuery('/_sandbox/idle', { timeout })),
    /** The sandbox itself: its version, when it was started, where it keeps data. */
    info: (): Promise<t.Info> => call('GET', '/_sandbox/info'),
    /** The exercised part of the service's API. */
    coverage: (): Promise<t.Coverage> => call('GET', '/_sandbox/coverage'),
    /** The history as the text of a scenario that reproduces it, or as an HTTP Archive without credentials. */
    record: async (options: RecordOptions = {}): Promise<string> => {
      const recorded = await call<string | object>('GET', withQuery('/_sandbox/record', { ...options }));
      return typeof recorded === 'string' ? recorded : JSON.stringify(recorded, null, 2);
    },
    /**
     * Empties the account. The options name the parts to keep, or its new start: `reset({ clock: { mode: 'frozen', now },
     * scenario })`.
     */
    reset: async (how: readonly t.Keep[] | ResetOptions = {}): Promise<void> => {
      const { clock, ...rest } = (Array.isArray(how) ? { keep: how } : how) as ResetOptions;
      await call('POST', '/_sandbox/reset', {
        ...rest,
        ...(clock && { clock: { ...clock, now: clock.now && instant(clock.now) } }),
      });
    },
    /** Deletes this account with all its data. The next call with its key starts a new account. */
    remove: async (): Promise<void> => {
      await call('DELETE', at`/_sandbox/accounts/${key}`).catch((error: unknown) => {
        // An account that no call has changed does not exist yet.
        if (!(error instanceof SandboxError) || error.code !== 'not_found') throw error;
      });
    },
    /** Makes any call to either plane, for operations without a method here. A text response is returned as a string. */
    call: <T>(method: Method, path: string, body?: object): Promise<T> => call<T>(method, path, body),
  };
}
