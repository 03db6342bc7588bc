/**
 * Everything one account holds, and by what each kind is found.
 */
import type { Customer } from '../../domain/customer.js';
import { largeBodiesOf, type Attempt, type Delivery } from '../../domain/delivery.js';
import { addressOf, type Endpoint } from '../../domain/endpoint.js';
import type { Event } from '../../domain/event.js';
import type { Job } from '../../domain/job.js';
import type { Message } from '../../domain/message.js';
import type { Otp } from '../../domain/otp.js';
import { pairText } from '../../domain/pair-text.js';
import type { RequestRecord } from '../../domain/request-record.js';
import type { Row } from '../../domain/row.js';
import type { ActiveScenario, Counter, JudgedExpectation, RuleHit, RunTimeRule } from '../../domain/script-state.js';
import type { Sink, SinkRequest } from '../../domain/sink.js';
import type { Template } from '../../domain/template.js';
import type { Draws } from '../../random/stream.js';
import type { ClockState } from '../../time/account-clock.js';
import { customerSettling } from './settled-customer.js';
import { messageSettling } from './settled-message.js';
import { SharedParts } from './shared-parts.js';
import { Table } from './table.js';
import type { Entry, IndexSpec } from './table-index.js';

/** What is not a record: the counters and the clock. */
export interface Meta {
  /** Account time of the first use. */
  readonly createdAtMs: number;
  /** The latest number of the account's one sequence. */
  seq: number;
  /** `seq` when the account last began: at its first use (then it may be missing), or after a reset. */
  begunSeq?: number;
  readonly draws: Draws;
  clock: ClockState;
}

/** The rows that exist once for the whole account are listed under this key. */
export const only = 'only';

/**
 * Under load most of what is asked for is among these, and most accounts have no more: theirs stay easy to read on disk.
 */
const newestOfAll = 10_000;

/**
 * For tables that do not grow without end: most of their indexes nobody ever asks for, and each costs every change
 * something.
 */
function whenAsked<I extends string, R>(indexes: Record<I, IndexSpec<R>>): Record<I, IndexSpec<R>> {
  const entries = Object.entries<IndexSpec<R>>(indexes);
  return Object.fromEntries(entries.map(([name, spec]) => [name, { ...spec, whenAsked: true }])) as typeof indexes;
}

const statusAndType = pairText(' ');

/** @param newest so many of the newest messages and customers do not come to rest */
export function createTables(newest = newestOfAll) {
  return {
    messages: new Table(
      'messages',
      {
        /** What the application sent; codes and inbound messages have lists of their own. */
        sent: { key: (row: Message) => (row.origin === 'api' ? only : undefined), changing: [] },
        type: { key: (row) => (row.origin === 'api' ? row.type : undefined), changing: [] },
        statusType: {
          key: (row) => (row.origin === 'api' ? statusAndType(row.status, row.type) : undefined),
          changing: ['status'],
        },
        /** The handset: both directions. With `sent` beside it, what the application sent to a number. */
        customer: { key: (row) => row.customer, changing: [] },
      },
      messageSettling(new SharedParts(), newest),
    ),
    templates: new Table('templates', {
      name: { key: (row: Template) => row.name },
      status: { key: (row) => row.status },
      /** Usable for codes; the last is the latest approval. */
      authentication: {
        key: (row) => (row.category === 'authentication' && row.status === 'approved' ? only : undefined),
        order: (row) => row.approvedSeq ?? row.seq,
      },
    }),
    otps: new Table('otps', { to: { key: (row: Otp) => row.to } }),
    customers: new Table<Customer>('customers', {}, customerSettling(newest)),
    endpoints: new Table('endpoints', {
      url: { key: (row: Endpoint) => addressOf(row.url), changing: [] },
      alias: { key: (row) => row.alias },
    }),
    events: new Table(
      'events',
      whenAsked({ type: { key: (row: Event) => row.type }, subject: { key: (row) => row.subject } }),
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
        /** Held back until the message they tell of reaches a status. */
        waiting: {
          key: (row) => (row.holdUntil ? `${row.holdUntil.messageId} ${row.holdUntil.status}` : undefined),
          changing: ['holdUntil'],
        },
      }),
    ),
    attempts: new Table('attempts', { delivery: { key: (row: Attempt) => row.deliveryId } }, null, largeBodiesOf),
    jobs: new Table('jobs', whenAsked({ subject: { key: (row: Job) => row.subject } })),
    /** Bounded, so two filters at once are answered by walking along both lists. */
    requests: new Table(
      'requests',
      whenAsked({
        path: { key: (row: RequestRecord) => row.path },
        method: { key: (row) => row.method },
        status: { key: (row) => (row.status === null ? undefined : String(row.status)) },
        operation: { key: (row) => row.operation ?? undefined },
      }),
      null,
      ({ bytes = 0 }) => bytes,
    ),
    scenarios: new Table<ActiveScenario>('scenarios', {}),
    rules: new Table<RunTimeRule>('rules', {}),
    counters: new Table<Counter>('counters', {}),
    ruleHits: new Table<RuleHit>('ruleHits', {}),
    judgements: new Table<JudgedExpectation>('judgements', {}),
    sinks: new Table<Sink>('sinks', {}),
    sinkRequests: new Table(
      'sinkRequests',
      { sink: { key: (row: SinkRequest) => row.sink } },
      null,
      ({ body }) => body.length,
    ),
  };
}

export type Tables = ReturnType<typeof createTables>;
export type TableName = keyof Tables;

/** The tables with their names, for what treats all of them alike. */
export function tableEntries(tables: Tables): [TableName, Table<Row>][] {
  return Object.entries(tables) as unknown as [TableName, Table<Row>][];
}

export interface AccountData {
  readonly meta: Meta;
  readonly tables: Tables;
}

/** The form in which an account is written down whole: as a checkpoint file that was judged, and as a snapshot. */
export interface PlainAccountData {
  readonly meta: Meta;
  readonly tables: Record<TableName, object[]>;
}

/** An account as a checkpoint holds it: records or what is kept of them, and what those at rest name by number. */
export interface StoredAccountData {
  readonly meta: Meta;
  readonly tables: Record<TableName, readonly Entry<Row>[]>;
  readonly parts?: Readonly<Record<string, readonly unknown[]>>;
}
