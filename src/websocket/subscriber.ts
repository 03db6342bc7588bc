/**
 * One client's way through the stream: first what the store holds behind its cursor, at the pace at which it reads, then
 * what happens. Nothing is missed in between, and no creation comes twice.
 */
import type { Account } from '../account/account.js';
import type { LiveClient } from './client.js';
import { frameOf, type Note } from './change-notification.js';
import { recordsAfter } from './replay.js';

/** Records and bytes sent at a time while catching up; the next lot goes out when the client has taken this one. */
const pageSize = 200;
const pageBytes = 1024 * 1024;
/** Changes that may wait until a client has caught up. */
const mostWaiting = 10_000;

export class Follower {
  readonly #account: Account;
  readonly #client: LiveClient;
  /** Creations up to this number have been sent; null: it has caught up. */
  #behind: number | null = null;
  #waiting: Note[] = [];
  /** Raised by a restart: what an earlier replay still had in hand is void. */
  #replays = 0;

  constructor(account: Account, client: LiveClient) {
    this.#account = account;
    this.#client = client;
  }

  /**
   * @param after the last number that the client was told of
   * @param missed changes since then of records that it knows
   */
  resume(after: number, missed: readonly Note[]): void {
    for (const note of missed) this.#send(note, after);
    this.#behind = after;
    this.#replay((this.#replays += 1));
  }

  /** Starts over: first the note that says so, then everything that is stored. */
  restart(note: Note): void {
    this.#waiting = [];
    this.resume(0, [note]);
  }

  /** Tells that everything sent so far holds no more. It overtakes what waits: that is void too. */
  void(note: Note): void {
    this.#waiting = [];
    this.#send(note, this.#behind ?? note.seq);
  }

  /** @param text the note's frame, made once for all followers */
  take(note: Note, text: () => string): void {
    if (this.#behind === null) {
      this.#client.send(text());
      return;
    }
    // The replay will come to it, and show it as it is by then.
    if (note.rowSeq !== null && note.rowSeq > this.#behind) return;
    this.#waiting.push(note);
    if (this.#waiting.length > mostWaiting) {
      this.#waiting = [];
      this.#client.drop(`too slow: over ${mostWaiting} changes while catching up; connect again with after=SEQ`);
    }
  }

  #replay(replay: number): void {
    if (this.#behind === null || replay !== this.#replays || this.#client.gone) return;
    const notes = recordsAfter(this.#account, this.#behind, pageSize);
    for (const [index, note] of notes.entries()) {
      this.#behind = note.seq;
      if (index === pageSize - 1 || this.#client.unread > pageBytes) {
        this.#send(note, note.seq, () => this.#replay(replay));
        return;
      }
      this.#send(note, note.seq);
    }
    const reached = this.#behind;
    this.#behind = null;
    for (const note of this.#waiting.splice(0)) this.#send(note, Math.max(note.seq, reached));
  }

  #send(note: Note, seq: number, taken?: () => void): void {
    this.#client.send(JSON.stringify(frameOf(note, seq)), taken);
  }
}
