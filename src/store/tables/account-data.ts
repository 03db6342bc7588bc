/** The tables of an account, with the indexes that its lookups and filters need. */
import type { Customer } from '../../domain/customer.js';
import type { Attempt, Delivery } from '../../domain/delivery.js';
import { addressOf, type Endpoint } from '../../domain/endpoint.js';
import type { Event } from '../../domain/event.js';
import type { Job } from '../../domain/job.js';
import type { Message } from '../../domain/message.js';
import type { Otp } from '../../domain/otp.js';
import type { IndexSpec } from './table-index.js';
import type { RequestRecord } from '../../domain/request-record.js';
import type { Row } from '../../domain/row.js';
import type { ActiveScenario, Counter, JudgedExpectation, RuleHit, RunTimeRule } from '../../domain/script-state.js';
import type { Sink, SinkRequest } from '../../domain/sink.js';
import type { Template } from '../../domain/template.js';
import type { Draws } from '../../random/stream.js';
import type { ClockState } from '../../time/account-clock.js';
import { Table } from './table.js';
import { weights } from './memory-budget.js';

/** The counters and the clock of an account. */
export interface Meta {
  /** Account time of the first use. */
  readonly createdAtMs: number;
  /** The highest number of the account's sequence that was assigned. */
  seq: number;
  /** `seq` at the latest start of the account: after a reset, or at its first use (then it may be absent). */
  begunSeq?: number;
  readonly draws: Draws;
  clock: ClockState;
  /** Number of rows removed from each table because of a limit. Reset with the table. */
  trimmed?: Readonly<Record<string, number>>;
  /** The key that determines the account's random streams, if not its own: that of the account it was forked from. */
  streams?: string;
  /** Account time of the latest write, if the clock runs: the machine's clock may be set back before the next start. */
  nowMs?: number;
}

/** The key of an index that has one list for the whole account. */
export const ALL = 'all';

/** Builds the indexes of a table with a limit on first use: most are never used, and each one slows down every change. */
function whenAsked<I extends string, R>(indexes: Record<I, IndexSpec<R>>): Record<I, IndexSpec<R>> {
  const entries = Object.entries<IndexSpec<R>>(indexes);
  return Object.fromEntries(entries.map(([name, spec]) => [name, { ...spec, whenAsked: true }])) as typeof indexes;
}

export function createTables() {
  return {
    messages: new Table(
      'messages',
      {
        /** Messages of the application. Codes and inbound messages have their own lists. */
        sent: { key: (row: Message) => (row.origin === 'api' ? ALL : undefined), changing: [] },
        type: { key: (row) => (row.origin === 'api' ? row.type : undefined), changing: [] },
        statusType: {
          key: (row) => (row.origin === 'api' ? `${row.status} ${row.type}` : undefined),
          changing: ['status'],
        },
        /** A conversation in both directions. Together with `sent`: the messages of the application to a number. */
        customer: { key: (row) => row.customer, changing: [] },
      },
      weights.messages,
    ),
    templates: new Table(
      'templates',
      {
        name: { key: (row: Template) => row.name },
        status: { key: (row) => row.status },
        /** Templates for one-time codes; the last in the list was approved last. */
        authentication: {
          key: (row) => (row.category === 'authentication' && row.status === 'approved' ? ALL : undefined),
          order: (row) => row.approvedSeq ?? row.seq,
        },
      },
      weights.templates,
    ),
    otps: new Table('otps', { to: { key: (row: Otp) => row.to } }, weights.otps),
    customers: new Table<Customer>('customers', {}, weights.customers),
    endpoints: new Table(
      'endpoints',
      {
        url: { key: (row: Endpoint) => addressOf(row.url), changing: [] },
        alias: { key: (row) => row.alias },
      },
      weights.endpoints,
    ),
    events: new Table(
      'events',
      whenAsked({ type: { key: (row: Event) => row.type }, subject: { key: (row) => row.subject } }),
      weights.events,
      true,
    ),
    deliveries: new Table(
      'deliveries',
      whenAsked({
        event: { key: (row: Delivery) => row.eventId, changing: [] },
        endpoint: { key: (row) => row.endpointId, changing: [] },
        state: { key: (row) => row.state, changing: ['state'] },
        type: { key: (row) => row.eventType, changing: [] },
        endpointState: { key: (row) => `${row.endpointId} ${row.state}`, changing: ['state'] },
        stateType: { key: (row) => `${row.state} ${row.eventType}`, changing: ['state'] },
        /** Deliveries held back until their message reaches a status. */
        waiting: {
          key: (row) => (row.holdUntil ? `${row.holdUntil.messageId} ${row.holdUntil.status}` : undefined),
          changing: ['holdUntil'],
        },
      }),
      weights.deliveries,
    ),
    attempts: new Table('attempts', { delivery: { key: (row: Attempt) => row.deliveryId } }, weights.attempts),
    jobs: new Table('jobs', whenAsked({ subject: { key: (row: Job) => row.subject } }), weights.jobs),
    /** The table has a limit, so a page with two filters may walk along both lists. */
    requests: new Table(
      'requests',
      whenAsked({
        path: { key: (row: RequestRecord) => row.path },
        method: { key: (row) => row.method },
        status: { key: (row) => (row.status === null ? undefined : String(row.status)) },
        operation: { key: (row) => row.operation ?? undefined },
      }),
      weights.requests,
      true,
    ),
    scenarios: new Table<ActiveScenario>('scenarios', {}, weights.scenarios),
    rules: new Table<RunTimeRule>('rules', {}, weights.rules),
    counters: new Table<Counter>('counters', {}, weights.counters),
    ruleHits: new Table<RuleHit>('ruleHits', {}, weights.counters),
    judgements: new Table<JudgedExpectation>('judgements', {}, weights.judgements),
    sinks: new Table<Sink>('sinks', {}, weights.counters),
    sinkRequests: new Table('sinkRequests', { sink: { key: (row: SinkRequest) => row.sink } }, weights.sinkRequests),
  };
}

export type Tables = ReturnType<typeof createTables>;
export type TableName = keyof Tables;

/** The tables with their names, for code that treats all tables alike. */
export function tableEntries(tables: Tables): [TableName, Table<Row>][] {
  return Object.entries(tables) as unknown as [TableName, Table<Row>][];
}

export interface AccountData {
  readonly meta: Meta;
  readonly tables: Tables;
}

export type RowOf<Name extends TableName> = Parameters<Tables[Name]['insert']>[0];

/** An account as plain data: the content of a checkpoint or a snapshot. */
export interface PlainAccountData {
  readonly meta: Meta;
  readonly tables: { [Name in TableName]: RowOf<Name>[] };
}
