/**
 * The records of the live stream, the names of their changes, and their form, which is that of the control plane's
 * lists. A new table needs one line here.
 */
import type { Account } from '../account/account.js';
import { windowOf } from '../simulation/window.js';
import type { Customer } from '../domain/customer.js';
import type { Attempt, Delivery } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { Event } from '../domain/event.js';
import { isoTime } from '../domain/instant.js';
import type { Message } from '../domain/message.js';
import type { Otp } from '../domain/otp.js';
import type { RequestRecord } from '../domain/request-record.js';
import type { Row } from '../domain/row.js';
import type { ActiveScenario, JudgedExpectation, RuleHit, RunTimeRule } from '../domain/script-state.js';
import type { SinkRequest } from '../domain/sink.js';
import type { Template } from '../domain/template.js';
import { showCustomer } from '../presenters/control/customer.js';
import { showAttempt, showDelivery } from '../presenters/control/delivery.js';
import {
  showEndpoint,
  showEvent,
  showOtp,
  showRequest,
  showSinkRequest,
  showTemplate,
} from '../presenters/control/records.js';
import { showMessage } from '../presenters/control/message.js';
import type { TableName } from '../store/tables/account-data.js';
import { lastMessage } from '../store/tables/filters.js';

/** The changes of one table. If the kind of a change is null, it is not sent. */
export interface RecordKind<R extends Row = Row> {
  readonly created: string;
  /** The kind of a change, by the fields that changed. */
  readonly updated: (patch: object) => string | null;
  readonly deleted: string | null;
  /** Name of the list, as a `reset` names it. */
  readonly plural: string;
  readonly show: (row: R, account: Account) => object;
}

const named = <R extends Row>(noun: string, show: RecordKind<R>['show'], plural = `${noun}s`): RecordKind<R> => ({
  created: `${noun}.created`,
  updated: () => `${noun}.updated`,
  deleted: `${noun}.deleted`,
  plural,
  show,
});

/** A change of state has a separate kind, because clients wait for it. */
const withStatus = <R extends Row>(noun: string, show: RecordKind<R>['show']): RecordKind<R> => ({
  ...named(noun, show),
  updated: (patch) => `${noun}.${'status' in patch ? 'status' : 'updated'}`,
});

/** Records that are removed only when their list is full, which is not reported. */
const bounded = <R extends Row>(kind: RecordKind<R>): RecordKind<R> => ({ ...kind, deleted: null });

const kinds = {
  messages: withStatus('message', (row: Message, { store }) =>
    showMessage(row, store.tables.customers.get(row.customer)?.profileName ?? null),
  ),
  templates: withStatus('template', (row: Template, { store }) =>
    showTemplate(row, store.tables.jobs.list('subject', row.id)),
  ),
  otps: named('otp', (row: Otp, { store, clock }) =>
    showOtp(row, store.tables.templates.get(row.templateId), clock.now()),
  ),
  customers: named('customer', (row: Customer, account) =>
    showCustomer(row, lastMessage(account.store.tables, row.id), windowOf(account, row.id)),
  ),
  endpoints: named('webhook', (row: Endpoint) => showEndpoint(row)),
  events: bounded(named('event', (row: Event) => showEvent(row))),
  deliveries: bounded(
    named(
      'delivery',
      (row: Delivery, { store: { tables } }) =>
        showDelivery(row, tables.attempts.list('delivery', row.id), tables.events.get(row.eventId)),
      'deliveries',
    ),
  ),
  attempts: bounded(named('attempt', showAttemptOf)),
  requests: bounded(named('request', (row: RequestRecord) => showRequest(row))),
  sinkRequests: {
    ...bounded(named('sink', (row: SinkRequest) => ({ name: row.sink, ...showSinkRequest(row) }), 'sink requests')),
    created: 'sink.received',
  },
  scenarios: {
    ...named('scenario', (row: ActiveScenario) => showScenario(row), 'scenario'),
    created: 'scenario.changed',
    updated: () => 'scenario.changed',
    deleted: null,
  },
  rules: named('rule', (row: RunTimeRule, account) => showRule(row, account)),
  ruleHits: {
    ...bounded(named('rule', (row: RuleHit) => ({ id: row.id, ...showHit(row) }), 'rule hits')),
    created: 'rule.hit',
    updated: () => 'rule.hit',
  },
  judgements: {
    ...bounded(named('expectation', (row: JudgedExpectation) => ({ id: row.id, ...row.judgement }))),
    created: 'expectation.judged',
  },
};

/** By table. The other tables (jobs, counters, responses of sinks) are internal. */
export const recordKinds = new Map(Object.entries(kinds)) as unknown as ReadonlyMap<string, RecordKind>;

/** The same names, as tables of the store. */
export const recordTables = [...recordKinds.keys()] as TableName[];

/** The active scenario as the stream shows it; its fields are null if there is none. */
export function showScenario(row: ActiveScenario | null) {
  const { description = null, files = [] } = (row?.scenario ?? {}) as { description?: string; files?: string[] };
  return {
    name: row?.name ?? null,
    description,
    file: files[0] ?? null,
    activated_at: row ? isoTime(row.activatedAtMs) : null,
  };
}

function showAttemptOf(row: Attempt, { store }: Account) {
  const delivery = store.tables.deliveries.get(row.deliveryId);
  return {
    id: row.id,
    seq: row.seq,
    delivery_id: row.deliveryId,
    event_id: delivery?.eventId ?? null,
    event_type: delivery?.eventType ?? null,
    webhook_id: delivery?.endpointId ?? null,
    ...showAttempt(row),
  };
}

function showRule(row: RunTimeRule, { store }: Account) {
  const { source: _, ...rule } = row.rule as { source?: unknown };
  const hit = store.tables.ruleHits.get(row.id);
  return { ...rule, id: row.id, seq: row.seq, ...(hit ? showHit(hit) : { hits: 0, last_hit: null }) };
}

function showHit({ hits, atMs, subject }: RuleHit) {
  return { hits, last_hit: { at: isoTime(atMs), subject } };
}
