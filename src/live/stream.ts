/** The live stream of one account: after each write, a frame for each record that changed (docs/control-plane.md). */
import type { Account } from '../account/account.js';
import { isoTime } from '../domain/instant.js';
import { activeId } from '../domain/script-state.js';
import { showClock } from '../presenters/control/records.js';
import type { Change } from '../store/table.js';
import type { LiveClient } from './client.js';
import type { Frame } from './frame.js';
import { recordKinds, showScenario } from './records.js';

export class AccountStream {
  readonly #clients = new Set<LiveClient>();
  readonly #leave: () => void;
  /** The clock after the previous write. */
  #clock: object | null;

  /** @param report called with errors of the stream, which must not fail the write */
  constructor(
    private readonly account: Account,
    report: (error: unknown) => void,
  ) {
    this.#clock = account.store.meta.clock;
    this.#leave = account.store.onCommit((changes) => {
      try {
        this.#committed(changes);
      } catch (error) {
        report(error);
      }
    });
  }

  /** The first frame says from which number on the client hears of every change; it reads everything else itself. */
  enter(client: LiveClient): void {
    this.#clients.add(client);
    client.send(JSON.stringify(this.#frame('reset', { reason: 'connected' })));
  }

  leave(client: LiveClient): void {
    this.#clients.delete(client);
  }

  close(): void {
    this.#leave();
  }

  #committed(changes: readonly Change[]): void {
    const { clock, store } = this.account;
    const clockChanged = store.meta.clock !== this.#clock;
    this.#clock = store.meta.clock;
    if (this.#clients.size === 0) return;
    const cleared = new Map(changes.flatMap((change) => (change.op === 'clear' ? [[change.table, change]] : [])));
    // All jobs are removed at once only if the account is reset, or a snapshot is restored.
    if (cleared.has('jobs')) {
      const restored = [...cleared.values()].some(({ replaced }) => replaced === true);
      this.#send('reset', { reason: restored ? 'restored' : 'reset' });
      return;
    }
    for (const { kind, data } of changedRecords(this.account, changes)) this.#send(kind, data());
    if (cleared.has('requests')) this.#send('request.cleared', {});
    if (cleared.has('scenarios') && store.tables.scenarios.size === 0) {
      this.#send('scenario.changed', showScenario(store.tables.scenarios.get(activeId) ?? null));
    }
    if (!clockChanged) return;
    const { pending } = this.account.scheduler;
    const { scale, quietMs = null } = clock.state;
    const nextDueMs = this.account.scheduler.nextDueMs();
    this.#send(
      'clock.changed',
      showClock({ nowMs: clock.now(), mode: clock.mode, scale, pending, nextDueMs, quietMs }),
    );
  }

  #send(kind: string, data: object): void {
    if (this.#clients.size === 0) return;
    const text = JSON.stringify(this.#frame(kind, data));
    for (const client of this.#clients) client.send(text);
  }

  #frame(kind: string, data: object): Frame {
    const { clock, store } = this.account;
    return { seq: store.meta.seq, at: isoTime(clock.now()), kind, data };
  }
}

interface ChangedRecord {
  readonly kind: string;
  readonly data: () => object;
}

/** Returns each changed record once, in the order of its last change. A record that is created stays `created`. */
function changedRecords(account: Account, changes: readonly Change[]): Iterable<ChangedRecord> {
  const changed = new Map<string, ChangedRecord & { readonly created: boolean }>();
  for (const change of changes) {
    const names = recordKinds.get(change.table);
    if (!names || change.op === 'clear') continue;
    const { row } = change;
    const key = `${change.table}/${row.id}`;
    const earlier = changed.get(key);
    const created = change.op === 'insert' || (change.op === 'patch' && earlier?.created === true);
    let kind: string | null = created ? names.created : names.deleted;
    if (change.op === 'patch' && !created) {
      const updated = names.updated(change.patch);
      // A change of state is more important than a change of any other field.
      kind = earlier && updated.endsWith('.updated') ? earlier.kind : updated;
    }
    changed.delete(key);
    if (kind === null || (change.op === 'delete' && earlier?.created === true)) continue;
    changed.set(key, { kind, created, data: () => names.show(row, account) });
  }
  return changed.values();
}
