/** The live stream of one account: notifies its subscribers after each write. */
import type { Account } from '../account/account.js';
import { showClock } from '../presenters/control/records.js';
import { activeId } from '../domain/script-state.js';
import type { Change } from '../store/tables/table.js';
import { BoundedMap } from '../webhooks/sender/destinations.js';
import type { LiveClient } from './client.js';
import { Subscriber } from './subscriber.js';
import { frameOf, notificationsOf, type ChangeNotification } from './change-notification.js';
import { recordKinds, showScenario } from './records.js';

/** Number of records with a remembered update, per account. */
const mostRemembered = 10_000;

export class AccountStream {
  readonly #subscribers = new Map<LiveClient, Subscriber>();
  /** The latest update of each record, by its key: the store does not record updates. */
  readonly #recent = new BoundedMap<string, ChangeNotification>(mostRemembered);
  readonly #leaveStore: () => void;
  readonly #leaveExploration: () => void;
  /** Sequence number and clock of the account after the previous write. */
  #seq: number;
  #clock: object | null;
  /** The latest notification that invalidated everything before it. */
  #void: ChangeNotification | null = null;
  /** Sequence number of the latest restore of a snapshot, whose records have older numbers. */
  #restoredSeq = 0;

  /** @param report called with errors of the stream, which must not fail the write */
  constructor(
    private readonly account: Account,
    report: (error: unknown) => void,
  ) {
    this.#seq = account.store.meta.seq;
    this.#clock = account.store.meta.clock;
    this.#leaveStore = account.store.onCommit((changes) => {
      try {
        this.#committed(changes);
      } catch (error) {
        report(error);
      }
    });
    this.#leaveExploration = account.exploration.watch(() =>
      this.#notify(this.#stateNotification('explore', 'explore.changed', () => ({}))),
    );
  }

  /** @param after the last number that the client knows; null for changes from now on */
  enter(client: LiveClient, after: number | null): void {
    const subscriber = new Subscriber(this.account, client);
    this.#subscribers.set(client, subscriber);
    if (after === null) return;
    if (after > this.#seq) {
      // The number is from before a restart of the sandbox or the deletion of the account, so all known data is
      // invalid.
      subscriber.restart(this.#voidNotification(allPlurals, { reason: `after=${after} is ahead of seq ${this.#seq}` }));
      return;
    }
    const missed = this.#void !== null && this.#void.seq > after ? this.#void : null;
    if (missed && this.#restoredSeq > after) subscriber.restart(missed);
    else subscriber.resume(after, [...(missed ? [missed] : []), ...this.#updatesAfter(after)]);
  }

  leave(client: LiveClient): void {
    this.#subscribers.delete(client);
  }

  close(): void {
    this.#leaveStore();
    this.#leaveExploration();
  }

  #committed(changes: readonly Change[]): void {
    const { store } = this.account;
    const before = this.#seq;
    this.#seq = store.meta.seq;
    const cleared = new Set(changes.flatMap((change) => (change.op === 'clear' ? [change.table] : [])));
    // All jobs are removed at once only if the account is reset.
    if (cleared.has('jobs')) {
      const restored = changes.some((change) => change.op === 'clear' && change.replaced === true);
      this.#startOver(cleared, restored);
      // The clock comes last; its number closes the gap between the restored numbers and the latest.
      if (restored) this.#clock = null;
      else this.#notifyAll(changes, before);
    } else {
      this.#notifyAll(changes, before);
      this.#notifyCleared(cleared);
    }
    this.#notifyClock();
  }

  #notifyAll(changes: readonly Change[], before: number): void {
    for (const notification of notificationsOf(this.account, changes, before)) this.#notify(notification);
  }

  #startOver(cleared: ReadonlySet<string>, restored: boolean): void {
    this.#recent.clear();
    const plurals = [...recordKinds].filter(([table]) => cleared.has(table)).map(([, { plural }]) => plural);
    const notification = this.#voidNotification(plurals, restored ? { restored } : {});
    this.#void = notification;
    if (restored) this.#restoredSeq = notification.seq;
    for (const subscriber of this.#subscribers.values()) {
      if (restored) subscriber.restart(notification);
      else subscriber.void(notification);
    }
  }

  #notifyCleared(cleared: ReadonlySet<string>): void {
    if (cleared.has('requests')) this.#notify(this.#stateNotification('requests', 'request.cleared', () => ({})));
    if (!cleared.has('scenarios') || this.account.store.tables.scenarios.size > 0) return;
    const scenario = () => showScenario(this.account.store.tables.scenarios.get(activeId) ?? null);
    this.#notify(this.#stateNotification('scenario', 'scenario.changed', scenario));
  }

  #notifyClock(): void {
    const { clock, scheduler, store } = this.account;
    if (store.meta.clock === this.#clock) return;
    this.#clock = store.meta.clock;
    const data = () =>
      showClock({
        nowMs: clock.now(),
        mode: clock.mode,
        scale: clock.state.scale,
        pending: scheduler.pending,
        nextDueMs: scheduler.nextDueMs(),
        quietMs: clock.state.quietMs ?? null,
      });
    this.#notify(this.#stateNotification('clock', 'clock.changed', data));
  }

  /** The notification of a change that is not about a record. */
  #stateNotification(key: string, kind: string, data: () => object): ChangeNotification {
    const atMs = this.account.clock.now();
    return { key, kind, seq: this.#seq, atMs, how: 'updated', rowSeq: null, data };
  }

  #voidNotification(cleared: readonly string[], more: object): ChangeNotification {
    return this.#stateNotification('reset', 'reset', () => ({ cleared, ...more }));
  }

  /** The updates after `cursor` of records that the client already knows. */
  #updatesAfter(cursor: number): ChangeNotification[] {
    return [...this.#recent.values()].filter(({ rowSeq, seq }) => (rowSeq ?? 0) <= cursor && seq > cursor);
  }

  #notify(notification: ChangeNotification): void {
    // The latest update is the last entry, so that the first is the oldest.
    this.#recent.delete(notification.key);
    if (notification.how !== 'created') this.#recent.set(notification.key, notification);
    let made: string | null = null;
    const text = () => (made ??= JSON.stringify(frameOf(notification)));
    for (const subscriber of this.#subscribers.values()) subscriber.take(notification, text);
  }
}

const allPlurals = [...recordKinds.values()].map(({ plural }) => plural);
