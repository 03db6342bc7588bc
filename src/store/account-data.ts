import type {
  ActiveScenario,
  Attempt,
  Counter,
  Customer,
  Delivery,
  Endpoint,
  Event,
  Job,
  JudgedExpectation,
  Message,
  Otp,
  RequestRecord,
  Row,
  RuleHit,
  RunTimeRule,
  Sink,
  SinkRequest,
  Template,
} from '../domain/rows.js';
import type { Draws } from '../random/ids.js';
import type { ClockState } from '../time/account-clock.js';
import { Table } from './table.js';

export interface Meta {
  readonly createdAtMs: number;
  /** The highest number of the account's sequence that was assigned. */
  seq: number;
  /** `seq` at the latest start of the account: after a reset, or at its first use (then it may be absent). */
  begunSeq?: number;
  readonly draws: Draws;
  clock: ClockState;
  /** Removed because of a limit. Reset with the table. */
  trimmed?: Readonly<Record<string, number>>;
  /** The key that determines the account's random streams, if not its own: the key of the account that it was forked from. */
  streams?: string;
  /** Account time of the latest write or read, if the clock runs: the machine's clock may be set back before the next start. */
  nowMs?: number;
}

export function createTables() {
  return {
    messages: new Table('messages', { customer: (row: Message) => row.customer }, shownStatus),
    templates: new Table<Template>('templates'),
    otps: new Table<Otp>('otps'),
    customers: new Table<Customer>('customers'),
    endpoints: new Table<Endpoint>('endpoints'),
    events: new Table('events', {}, ({ type }: Event) => type),
    deliveries: new Table('deliveries', {
      event: (row: Delivery) => row.eventId,
      state: ({ state }) => (['pending', 'retrying', 'held'].includes(state) ? state : undefined),
      /** Deliveries held back until their message reaches a status. */
      waiting: ({ holdUntil }) => (holdUntil ? `${holdUntil.messageId} ${holdUntil.status}` : undefined),
    }),
    attempts: new Table('attempts', { delivery: (row: Attempt) => row.deliveryId }),
    jobs: new Table('jobs', { subject: (row: Job) => row.subject }),
    requests: new Table<RequestRecord>('requests'),
    scenarios: new Table<ActiveScenario>('scenarios'),
    rules: new Table<RunTimeRule>('rules'),
    counters: new Table<Counter>('counters'),
    ruleHits: new Table<RuleHit>('ruleHits'),
    judgements: new Table<JudgedExpectation>('judgements'),
    sinks: new Table<Sink>('sinks'),
    sinkRequests: new Table('sinkRequests', { sink: (row: SinkRequest) => row.sink }),
  };
}

export type Tables = ReturnType<typeof createTables>;
export type TableName = keyof Tables;

export function tableEntries(tables: Tables): [TableName, Table<Row>][] {
  return Object.entries(tables) as unknown as [TableName, Table<Row>][];
}

export interface AccountData {
  meta: Meta;
  readonly tables: Tables;
}

export type RowOf<Name extends TableName> = Parameters<Tables[Name]['insert']>[0];

/** The content of an account's file or of a snapshot. */
export interface PlainAccountData {
  readonly meta: Meta;
  readonly tables: { [Name in TableName]: RowOf<Name>[] };
}

export function shownStatus({ origin, status }: Message): string {
  return origin === 'inbound' ? 'received' : status;
}

export function lastSent({ messages }: Tables, to: string): Message | undefined {
  return messages.list('customer', to).findLast(({ origin }) => origin === 'api');
}
