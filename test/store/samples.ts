import type { Customer, Job, Message } from '../../src/domain/rows.js';
import { type AccountData, createTables } from '../../src/store/account-data.js';

/** The start of all test clocks: any instant would do. */
export const startMs = Date.UTC(2026, 2, 1, 9);

export function emptyData(): AccountData {
  return {
    meta: {
      createdAtMs: startMs,
      seq: 0,
      draws: {},
      clock: { mode: 'frozen', scale: 1, baseMs: startMs, anchorMs: startMs },
    },
    tables: createTables(),
  };
}

export function message(id: string, seq: number, text = 'hello'): Message {
  return {
    id,
    seq,
    wamid: `wamid.${id}`,
    origin: 'api',
    customer: '+12025550150',
    type: 'text',
    content: { text },
    status: 'accepted',
    error: null,
    createdAtMs: startMs,
    history: [{ status: 'accepted', atMs: startMs }],
    explain: { by: 'default', text: 'No rule matched.' },
  };
}

export function customer(id: string, seq: number): Customer {
  return { id, seq, profileName: null, lastInboundAtMs: null, windowClosesAtMs: null };
}

export function job(id: string, seq: number): Job {
  return { id, seq, kind: 'message.status', subject: 'm1', dueMs: startMs + seq, data: { status: 'sent' } };
}
