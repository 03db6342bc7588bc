/**
 * The position of one client in the stream: first the stored records after its cursor, at the client's pace, then live
 * changes. Nothing is missed in between, and no creation is sent twice.
 */
import type { Account } from '../account/account.js';
import type { Row } from '../domain/row.js';
import type { Table } from '../store/tables/table.js';
import type { LiveClient } from './client.js';
import { creation, frameOf, type ChangeNotification } from './change-notification.js';
import { recordKinds, recordTables } from './records.js';

/** Records and bytes of a batch while catching up; the next batch is sent when the client has read this one. */
const pageSize = 200;
const pageBytes = 1024 * 1024;
/** Number of changes that may wait until a client has caught up. */
const mostWaiting = 10_000;

export class Subscriber {
  /** Creations up to this number have been sent; null once the client has caught up. */
  #behind: number | null = null;
  #waiting: ChangeNotification[] = [];
  /** Incremented by a restart, which cancels an earlier replay. */
  #replays = 0;

  constructor(
    private readonly account: Account,
    private readonly client: LiveClient,
  ) {}

  /**
   * @param after the last number that the client knows
   * @param missed later changes of records that the client knows
   */
  resume(after: number, missed: readonly ChangeNotification[]): void {
    for (const notification of missed) this.#send(notification, after);
    this.#behind = after;
    this.#replay((this.#replays += 1));
  }

  /** Starts again: sends the notification of the restart, then everything that is stored. */
  restart(notification: ChangeNotification): void {
    this.#waiting = [];
    this.resume(0, [notification]);
  }

  /** Reports that everything sent so far is invalid, including waiting changes. */
  void(notification: ChangeNotification): void {
    this.#waiting = [];
    this.#send(notification, this.#behind ?? notification.seq);
  }

  /** @param text returns the frame of the notification, created once for all subscribers */
  take(notification: ChangeNotification, text: () => string): void {
    if (this.#behind === null) {
      this.client.send(text());
      return;
    }
    // The replay will send the record in its state at that time.
    if (notification.rowSeq !== null && notification.rowSeq > this.#behind) return;
    this.#waiting.push(notification);
    if (this.#waiting.length > mostWaiting) {
      this.#waiting = [];
      this.client.tooSlow(`${mostWaiting} changes while catching up`);
    }
  }

  #replay(replay: number): void {
    if (this.#behind === null || replay !== this.#replays || this.client.gone) return;
    const notifications = recordsAfter(this.account, this.#behind, pageSize);
    for (const [index, notification] of notifications.entries()) {
      this.#behind = notification.seq;
      if (index === pageSize - 1 || this.client.unread > pageBytes) {
        this.#send(notification, notification.seq, () => this.#replay(replay));
        return;
      }
      this.#send(notification, notification.seq);
    }
    const reached = this.#behind;
    this.#behind = null;
    for (const notification of this.#waiting.splice(0)) this.#send(notification, Math.max(notification.seq, reached));
  }

  #send(notification: ChangeNotification, seq: number, taken?: () => void): void {
    this.client.send(JSON.stringify(frameOf(notification, seq)), taken);
  }
}

/** Returns at most `limit` creations with the lowest numbers above `cursor`. Its cost does not depend on the number stored. */
function recordsAfter(account: Account, cursor: number, limit: number): ChangeNotification[] {
  const notifications = recordTables.flatMap((name) => {
    const kind = recordKinds.get(name);
    if (!kind) return [];
    const { items } = (account.store.tables[name] as unknown as Table<Row>).page({}, { cursor, limit });
    return items.map((row) => creation(account, name, row, kind));
  });
  return notifications.sort((a, b) => a.seq - b.seq).slice(0, limit);
}
