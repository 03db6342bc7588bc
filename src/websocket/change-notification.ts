/**
 * What a write means to those who watch: one note per record and write, in the order of the account's sequence
 * (contract §4, last row).
 */
import type { Account } from '../account/account.js';
import { isoTime } from '../domain/instant.js';
import type { Row } from '../domain/row.js';
import type { Change } from '../store/tables/change.js';
import type { Frame } from './frame.js';
import { recordKinds, type RecordKind } from './records.js';

export interface Note {
  /** Names the record; of two notes with the same key the later one says it all. */
  readonly key: string;
  readonly kind: string;
  /** A creation stands at its record's own number, any other change at the latest one that its write had reached. */
  readonly seq: number;
  readonly how: 'created' | 'updated' | 'deleted';
  /** The record's own number; null for what is no record, such as the clock. */
  readonly rowSeq: number | null;
  /** When it happened, in account time. */
  readonly atMs: number;
  /** The record as it stands at the moment of the call. */
  readonly data: () => object;
}

export function frameOf(note: Note, seq = note.seq): Frame {
  return { seq, at: isoTime(note.atMs), kind: note.kind, data: note.data() };
}

/** @param before the account's latest number before the write */
export function notesOf(account: Account, changes: readonly Change[], before: number): Note[] {
  const notes = new Map<string, Note>();
  // Every write moves the sequence, so this number is its own.
  let seq = before + 1;
  for (const change of changes) {
    if (change.op === 'insert') seq = Math.max(seq, change.row.seq);
    const kind = recordKinds.get(change.table);
    if (!kind) continue;
    if (change.op === 'clear') {
      for (const key of notes.keys()) if (key.startsWith(`${change.table}/`)) notes.delete(key);
      continue;
    }
    const key = `${change.table}/${change.row.id}`;
    const earlier = notes.get(key);
    const note = noteOf({ account, change, kind, key, seq, earlier });
    if (note === earlier) continue;
    notes.delete(key);
    if (note) notes.set(key, note);
  }
  // Whoever breaks off in between must be able to go on from there, and miss no creation.
  return [...notes.values()].sort((a, b) => a.seq - b.seq || creationsFirst(a) - creationsFirst(b));
}

function creationsFirst({ how }: Note): number {
  return how === 'created' ? 0 : 1;
}

interface Step {
  readonly account: Account;
  readonly change: Exclude<Change, { op: 'clear' }>;
  readonly kind: RecordKind;
  readonly key: string;
  readonly seq: number;
  /** What the same write did to the same record before. */
  readonly earlier: Note | undefined;
}

/** Undefined: there is nothing to tell. */
function noteOf({ account, change, kind, key, seq, earlier }: Step): Note | undefined {
  const { row } = change;
  const base = { key, atMs: account.clock.now(), rowSeq: row.seq, data: () => kind.show(row, account) };
  switch (change.op) {
    case 'insert':
      return creation(account, change.table, row, kind);
    case 'patch': {
      if (earlier?.how === 'created') return earlier;
      const updated = kind.updated(change.patch);
      if (updated === null) return earlier;
      // A new state is more of a piece of news than any other field of the same record.
      const told = earlier && updated.endsWith('.updated') ? earlier.kind : updated;
      return { ...base, kind: told, seq, how: 'updated' };
    }
    case 'delete':
      if (kind.deleted === null || earlier?.how === 'created') return undefined;
      return { ...base, kind: kind.deleted, seq, how: 'deleted' };
  }
}

export function creation(account: Account, table: string, row: Row, kind: RecordKind): Note {
  const { createdAtMs, atMs = createdAtMs ?? account.clock.now() } = row as Row & {
    createdAtMs?: number;
    atMs?: number;
  };
  return {
    atMs,
    key: `${table}/${row.id}`,
    kind: kind.created,
    seq: row.seq,
    how: 'created',
    rowSeq: row.seq,
    data: () => kind.show(row, account),
  };
}
