/**
 * The records of the live stream, the names of their changes, and their form, which is that of the control plane's
 * lists. A new table needs one line here.
 */
import type { Account } from '../account/account.js';
import type { Attempt } from '../domain/delivery.js';
import { isoTime } from '../domain/instant.js';
import type { Row } from '../domain/rows.js';
import type { ActiveScenario, JudgedExpectation, RuleHit, RunTimeRule } from '../domain/script-state.js';
import type { SinkRequest } from '../domain/sink.js';
import { show, showHit } from '../http/control/show.js';
import { showAttempt, showSinkRequest } from '../presenters/control/events.js';

/** The kinds of the changes of one table; null if a removal is not sent. */
export interface RecordKind<R extends Row = Row> {
  readonly created: string;
  /** The kind of a change, by the fields that changed. */
  readonly updated: (patch: object) => string;
  readonly deleted: string | null;
  readonly show: (row: R, account: Account) => object;
}

const named = <R extends Row>(noun: string, show: RecordKind<R>['show']): RecordKind<R> => ({
  created: `${noun}.created`,
  updated: () => `${noun}.updated`,
  deleted: `${noun}.deleted`,
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
  messages: withStatus('message', show.message),
  templates: withStatus('template', show.template),
  otps: named('otp', show.otp),
  customers: named('customer', show.customer),
  endpoints: named('webhook', show.endpoint),
  events: bounded(named('event', show.event)),
  deliveries: bounded(named('delivery', show.delivery)),
  attempts: bounded(named('attempt', showAttemptOf)),
  requests: bounded(named('request', show.request)),
  sinkRequests: {
    ...bounded(named('sink', (row: SinkRequest) => ({ name: row.sink, ...showSinkRequest(row) }))),
    created: 'sink.received',
  },
  scenarios: {
    ...named('scenario', (row: ActiveScenario) => showScenario(row)),
    created: 'scenario.changed',
    updated: () => 'scenario.changed',
    deleted: null,
  },
  rules: named<RunTimeRule>('rule', show.rule),
  ruleHits: {
    ...bounded(named('rule', (row: RuleHit) => ({ id: row.id, ...showHit(row) }))),
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
