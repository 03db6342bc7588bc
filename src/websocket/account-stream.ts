/** Everyone who watches one account, and what they are told after each of its writes. */
import type { Account } from '../account/account.js';
import { showClock } from '../presenters/control/clock.js';
import { activeId } from '../scenario/runtime/account-script.js';
import type { Change } from '../store/tables/change.js';
import type { LiveClient } from './client.js';
import { Follower } from './subscriber.js';
import { frameOf, notesOf, type Note } from './change-notification.js';
import { Past } from './recent-changes.js';
import { recordKinds, showScenario } from './records.js';

export class Room {
  readonly #account: Account;
  readonly #followers = new Map<LiveClient, Follower>();
  readonly #past = new Past();
  readonly #leaveStore: () => void;
  /** The account's latest number, and its clock, after the write before. */
  #seq: number;
  #clock: object | null;
  /** The last time that everything before became void. */
  #void: Note | null = null;
  /** The number of the last restore of a snapshot: what it brought bears older numbers. */
  #restoredSeq = 0;

  /** @param report told of what goes wrong here: a write must not fail because somebody watches */
  constructor(account: Account, report: (error: unknown) => void) {
    this.#account = account;
    this.#seq = account.store.meta.seq;
    this.#clock = account.store.meta.clock;
    this.#leaveStore = account.store.onCommit((changes) => {
      try {
        this.#told(changes);
      } catch (error) {
        report(error);
      }
    });
  }

  /** @param after the last number that the client knows; null: it wants only what comes */
  enter(client: LiveClient, after: number | null): void {
    const follower = new Follower(this.#account, client);
    this.#followers.set(client, follower);
    if (after === null) return;
    if (after > this.#seq) {
      // A number of another life: the sandbox was started anew, or the account dropped. Nothing of it holds any more.
      follower.restart(this.#voidNote(allPlurals, { reason: `after=${after} lies ahead of seq ${this.#seq}` }));
      return;
    }
    const missed = this.#void !== null && this.#void.seq > after ? this.#void : null;
    if (missed && this.#restoredSeq > after) follower.restart(missed);
    else follower.resume(after, [...(missed ? [missed] : []), ...this.#past.missedAt(after)]);
  }

  leave(client: LiveClient): void {
    this.#followers.delete(client);
  }

  close(): void {
    this.#leaveStore();
  }

  #told(changes: readonly Change[]): void {
    const { store } = this.#account;
    const before = this.#seq;
    this.#seq = store.meta.seq;
    const cleared = new Set(changes.flatMap((change) => (change.op === 'clear' ? [change.table] : [])));
    // Jobs are nobody's list: they go all at once only when the account starts over.
    if (cleared.has('jobs')) {
      const restored = changes.some((change) => change.op === 'insert' && change.row.seq <= before);
      this.#startOver(cleared, restored);
      // The clock comes last, and its number closes the gap between the old numbers of what was restored and the latest.
      if (restored) this.#clock = null;
      else this.#tellAll(changes, before);
    } else {
      this.#tellAll(changes, before);
      this.#tellCleared(cleared);
    }
    this.#tellClock();
  }

  #tellAll(changes: readonly Change[], before: number): void {
    for (const note of notesOf(this.#account, changes, before)) this.#tell(note);
  }

  #startOver(cleared: ReadonlySet<string>, restored: boolean): void {
    this.#past.clear();
    const plurals = [...recordKinds].filter(([table]) => cleared.has(table)).map(([, { plural }]) => plural);
    const note = this.#voidNote(plurals, restored ? { restored } : {});
    this.#void = note;
    if (restored) this.#restoredSeq = note.seq;
    for (const follower of this.#followers.values()) {
      if (restored) follower.restart(note);
      else follower.void(note);
    }
  }

  #tellCleared(cleared: ReadonlySet<string>): void {
    if (cleared.has('requests')) this.#tell(this.#stateNote('requests', 'request.cleared', () => ({})));
    if (!cleared.has('scenarios') || this.#account.store.tables.scenarios.size > 0) return;
    const scenario = () => showScenario(this.#account.store.tables.scenarios.get(activeId) ?? null);
    this.#tell(this.#stateNote('scenario', 'scenario.changed', scenario));
  }

  #tellClock(): void {
    const { clock, scheduler, store } = this.#account;
    if (store.meta.clock === this.#clock) return;
    this.#clock = store.meta.clock;
    const data = () =>
      showClock({
        nowMs: clock.now(),
        mode: clock.mode,
        scale: clock.state.scale,
        pending: scheduler.pending,
        nextDueMs: scheduler.nextDueMs(),
      });
    this.#tell(this.#stateNote('clock', 'clock.changed', data));
  }

  /** Of what is no record of its own. */
  #stateNote(key: string, kind: string, data: () => object): Note {
    const atMs = this.#account.clock.now();
    return { key, kind, seq: this.#seq, atMs, how: 'updated', rowSeq: null, data };
  }

  #voidNote(cleared: readonly string[], more: object): Note {
    return this.#stateNote('reset', 'reset', () => ({ cleared, ...more }));
  }

  #tell(note: Note): void {
    this.#past.remember(note);
    this.#send(note);
  }

  #send(note: Note): void {
    let made: string | null = null;
    const text = () => (made ??= JSON.stringify(frameOf(note)));
    for (const follower of this.#followers.values()) follower.take(note, text);
  }
}

const allPlurals = [...recordKinds.values()].map(({ plural }) => plural);
