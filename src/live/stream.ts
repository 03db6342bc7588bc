/** After each write, a frame for each record that changed (clients/README.md). */
import type { Account } from '../account/account.js';
import type { ActiveScenario, Attempt, Row } from '../domain/rows.js';
import { isoTime } from '../domain/instant.js';
import { activeId } from '../domain/words.js';
import { show, showClock, showHit } from '../http/control/show.js';
import { showAttempt, showSinkRequest } from '../presenters/control/events.js';
import type { RowOf, TableName } from '../store/account-data.js';
import type { Change } from '../store/table.js';
import type { Cancel, SystemClock } from '../time/system-clock.js';

interface RecordKind<R extends Row> {
  readonly noun: string;
  /** By default, `NOUN.created` and `NOUN.updated`. */
  readonly created?: string;
  readonly updated?: string;
  /** Clients wait for this name. */
  readonly status?: string;
  /** Without it, records are removed only when their list is full, which is not reported. */
  readonly deleted?: string;
  readonly show: (row: R, account: Account) => object;
}

/** The other tables (jobs, counters, responses of sinks) are internal. */
const kinds: { readonly [Name in TableName]?: RecordKind<RowOf<Name>> } = {
  messages: { noun: 'message', status: 'message.status', deleted: 'message.deleted', show: show.message },
  templates: { noun: 'template', status: 'template.status', deleted: 'template.deleted', show: show.template },
  otps: { noun: 'otp', deleted: 'otp.deleted', show: show.otp },
  customers: { noun: 'customer', deleted: 'customer.deleted', show: show.customer },
  endpoints: { noun: 'webhook', deleted: 'webhook.deleted', show: show.endpoint },
  events: { noun: 'event', show: show.event },
  deliveries: { noun: 'delivery', show: show.delivery },
  attempts: { noun: 'attempt', show: showAttemptOf },
  requests: { noun: 'request', show: show.request },
  sinkRequests: {
    noun: 'sink',
    created: 'sink.received',
    show: (row) => ({ name: row.sink, ...showSinkRequest(row) }),
  },
  scenarios: { noun: 'scenario', created: 'scenario.changed', updated: 'scenario.changed', show: showScenario },
  rules: { noun: 'rule', deleted: 'rule.deleted', show: show.rule },
  ruleHits: {
    noun: 'rule',
    created: 'rule.hit',
    updated: 'rule.hit',
    show: (row) => ({ id: row.id, ...showHit(row) }),
  },
  judgements: {
    noun: 'expectation',
    created: 'expectation.judged',
    show: ({ id, judgement }) => ({ id, ...judgement }),
  },
};

export interface StreamOptions {
  readonly send: (text: string) => void;
  /** Errors of the stream must not fail the write. */
  readonly report: (error: unknown) => void;
  /** Records are counted by their kind and not sent, to a client that reads the changed lists again. Null to send them. */
  readonly summary: Pick<SystemClock, 'setTimer' | 'monotonic'> | null;
}

/** Real milliseconds. */
const summarySoonMs = 30;
const summaryPauseMs = 250;

/** The first frame says that changes are sent from now on: the client reads everything else itself. */
export function streamChanges(account: Account, { send, report, summary }: StreamOptions): () => void {
  const { clock, store } = account;
  const say = (kind: string, data: object): void =>
    send(JSON.stringify({ seq: store.meta.seq, at: isoTime(clock.now()), kind, data }));
  const counter = summary && countChanges(summary, (counts) => say('changes', counts));
  let shownClock = store.meta.clock;
  const committed = (changes: readonly Change[]): void => {
    const isClockChanged = store.meta.clock !== shownClock;
    shownClock = store.meta.clock;
    const cleared = new Map(changes.flatMap((change) => (change.op === 'clear' ? [[change.table, change]] : [])));
    // All jobs are removed at once only if the account is reset, or a snapshot is restored.
    if (cleared.has('jobs')) {
      const isRestored = [...cleared.values()].some(({ rows }) => rows !== undefined);
      say('reset', { reason: isRestored ? 'restored' : 'reset' });
      return;
    }
    for (const { kind, data } of changedRecords(account, changes)) {
      if (counter) counter.add(kind);
      else say(kind, data());
    }
    if (cleared.has('requests')) say('request.cleared', {});
    if (cleared.has('scenarios') && store.tables.scenarios.size === 0) {
      say('scenario.changed', showScenario(store.tables.scenarios.get(activeId) ?? null));
    }
    if (isClockChanged) say('clock.changed', showClock(account));
  };
  say('reset', { reason: 'connected' });
  const end = store.onCommit((changes) => {
    try {
      committed(changes);
    } catch (error) {
      report(error);
    }
  });
  return () => {
    end();
    counter?.stop();
  };
}

function countChanges(
  host: NonNullable<StreamOptions['summary']>,
  say: (counts: Readonly<Record<string, number>>) => void,
) {
  let counts: Record<string, number> = {};
  let saidAtMs = -Infinity;
  let cancel: Cancel | null = null;
  const flush = (): void => {
    const counted = counts;
    counts = {};
    cancel = null;
    saidAtMs = host.monotonic();
    say(counted);
  };
  return {
    add: (kind: string): void => {
      counts[kind] = (counts[kind] ?? 0) + 1;
      const pauseMs = saidAtMs + summaryPauseMs - host.monotonic();
      cancel ??= host.setTimer(Math.max(summarySoonMs, pauseMs), flush, { unref: true });
    },
    stop: (): void => cancel?.(),
  };
}

interface ChangedRecord {
  readonly kind: string;
  readonly data: () => object;
}

/** Each record is listed once, in the order of its last change. A record that is created stays `created`. */
function changedRecords(account: Account, changes: readonly Change[]): Iterable<ChangedRecord> {
  const changed = new Map<string, ChangedRecord>();
  for (const change of changes) {
    const names = kinds[change.table as TableName] as RecordKind<Row> | undefined;
    if (!names || change.op === 'clear') continue;
    const { row } = change;
    const { noun, created = `${noun}.created`, updated = `${noun}.updated`, status, deleted } = names;
    const key = `${change.table}/${row.id}`;
    const earlier = changed.get(key)?.kind;
    const { patch } = change.op === 'put' ? change : {};
    const isCreated = (change.op === 'put' && !patch) || earlier === created;
    const isStatus = earlier === status || (patch !== undefined && 'status' in patch);
    const changedKind = isCreated ? created : isStatus && status !== undefined ? status : updated;
    const goneKind = isCreated ? undefined : deleted;
    const kind = change.op === 'delete' ? goneKind : changedKind;
    changed.delete(key);
    if (kind !== undefined) changed.set(key, { kind, data: () => names.show(row, account) });
  }
  return changed.values();
}

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
