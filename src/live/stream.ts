/** The live stream of an account: after each write, a frame for each record that changed (docs/control-plane.md). */
import type { Account } from '../account/account.js';
import type {
  ActiveScenario,
  Attempt,
  JudgedExpectation,
  Row,
  RuleHit,
  RunTimeRule,
  SinkRequest,
} from '../domain/rows.js';
import { isoTime } from '../domain/instant.js';
import { activeId } from '../domain/words.js';
import { show, showHit } from '../http/control/show.js';
import { showAttempt, showSinkRequest } from '../presenters/control/events.js';
import { showClock } from '../presenters/control/records.js';
import type { Change } from '../store/table.js';

/** How the changes of one table are named, and its records shown. */
interface RecordKind<R extends Row = Row> {
  readonly created: string;
  readonly updated: string;
  /** The name of a change of the status, which clients wait for. */
  readonly status?: string;
  /** Null for records that are removed only when their list is full, which is not reported. */
  readonly deleted: string | null;
  /** The form of the control plane's lists. */
  readonly show: (row: R, account: Account) => object;
}

const named = <R extends Row>(noun: string, show: RecordKind<R>['show']): RecordKind<R> => ({
  created: `${noun}.created`,
  updated: `${noun}.updated`,
  deleted: `${noun}.deleted`,
  show,
});

const kept = <R extends Row>(noun: string, show: RecordKind<R>['show']) => ({ ...named(noun, show), deleted: null });

/** By table. The other tables (jobs, counters, responses of sinks) are internal. */
const kinds = {
  messages: { ...named('message', show.message), status: 'message.status' },
  templates: { ...named('template', show.template), status: 'template.status' },
  otps: named('otp', show.otp),
  customers: named('customer', show.customer),
  endpoints: named('webhook', show.endpoint),
  events: kept('event', show.event),
  deliveries: kept('delivery', show.delivery),
  attempts: kept('attempt', showAttemptOf),
  requests: kept('request', show.request),
  sinkRequests: {
    ...kept('sink', (row: SinkRequest) => ({ name: row.sink, ...showSinkRequest(row) })),
    created: 'sink.received',
  },
  scenarios: {
    ...kept('scenario', (row: ActiveScenario) => showScenario(row)),
    created: 'scenario.changed',
    updated: 'scenario.changed',
  },
  rules: named<RunTimeRule>('rule', show.rule),
  ruleHits: {
    ...kept('rule', (row: RuleHit) => ({ id: row.id, ...showHit(row) })),
    created: 'rule.hit',
    updated: 'rule.hit',
  },
  judgements: {
    ...kept('expectation', (row: JudgedExpectation) => ({ id: row.id, ...row.judgement })),
    created: 'expectation.judged',
  },
};

const recordKinds = new Map(Object.entries(kinds)) as unknown as ReadonlyMap<string, RecordKind>;

/**
 * Sends every change from now on. The first frame says so: the client reads everything else itself.
 * @param report called with errors of the stream, which must not fail the write
 * @returns a function that ends it
 */
export function streamChanges(
  account: Account,
  send: (text: string) => void,
  report: (error: unknown) => void,
): () => void {
  const { clock, store, scheduler } = account;
  const say = (kind: string, data: object): void =>
    send(JSON.stringify({ seq: store.meta.seq, at: isoTime(clock.now()), kind, data }));
  let shownClock = store.meta.clock;
  const committed = (changes: readonly Change[]): void => {
    const isClockChanged = store.meta.clock !== shownClock;
    shownClock = store.meta.clock;
    const cleared = new Map(changes.flatMap((change) => (change.op === 'clear' ? [[change.table, change]] : [])));
    // All jobs are removed at once only if the account is reset, or a snapshot is restored.
    if (cleared.has('jobs')) {
      const isRestored = [...cleared.values()].some(({ replaced }) => replaced === true);
      say('reset', { reason: isRestored ? 'restored' : 'reset' });
      return;
    }
    for (const { kind, data } of changedRecords(account, changes)) say(kind, data());
    if (cleared.has('requests')) say('request.cleared', {});
    if (cleared.has('scenarios') && store.tables.scenarios.size === 0) {
      say('scenario.changed', showScenario(store.tables.scenarios.get(activeId) ?? null));
    }
    if (!isClockChanged) return;
    const { scale, quietMs = null } = clock.state;
    const { pending } = scheduler;
    const nextDueMs = scheduler.nextDueMs();
    say('clock.changed', showClock({ nowMs: clock.now(), mode: clock.mode, scale, pending, nextDueMs, quietMs }));
  };
  say('reset', { reason: 'connected' });
  return store.onCommit((changes) => {
    try {
      committed(changes);
    } catch (error) {
      report(error);
    }
  });
}

interface ChangedRecord {
  readonly kind: string;
  readonly data: () => object;
}

/** Returns each changed record once, in the order of its last change. A record that is created stays `created`. */
function changedRecords(account: Account, changes: readonly Change[]): Iterable<ChangedRecord> {
  const changed = new Map<string, ChangedRecord>();
  for (const change of changes) {
    const names = recordKinds.get(change.table);
    if (!names || change.op === 'clear') continue;
    const { row } = change;
    const key = `${change.table}/${row.id}`;
    const earlier = changed.get(key)?.kind;
    const isCreated = change.op === 'insert' || earlier === names.created;
    changed.delete(key);
    let kind: string | null = names.created;
    if (change.op === 'delete') kind = isCreated ? null : names.deleted;
    else if (!isCreated) {
      const isStatus = names.status !== undefined && ('status' in change.patch || earlier === names.status);
      kind = isStatus ? names.status : names.updated;
    }
    if (kind !== null) changed.set(key, { kind, data: () => names.show(row, account) });
  }
  return changed.values();
}

/** The active scenario as the stream shows it; its fields are null if there is none. */
function showScenario(row: ActiveScenario | null) {
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
