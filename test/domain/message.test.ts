import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lookupStatus, mayMove, moved, movesFrom } from '../../src/domain/message.js';
import type { Message, MessageError } from '../../src/domain/rows.js';
import type { MessageStatus } from '../../src/domain/words.js';

const statuses: readonly MessageStatus[] = ['accepted', 'sent', 'delivered', 'read', 'failed'];
const anyStatus = fc.constantFrom(...statuses);

function accepted(): Message {
  return {
    id: 'm',
    seq: 1,
    wamid: 'wamid.x',
    origin: 'api',
    customer: '+12025550150',
    type: 'text',
    content: { text: 'Hello' },
    status: 'accepted',
    error: null,
    createdAtMs: 0,
    history: [{ status: 'accepted', atMs: 0 }],
    explain: { by: 'default', text: 'a test' },
  };
}

/** Applies each report that may be applied, as the channel's reports are. */
function after(reports: readonly MessageStatus[]): Message {
  return reports.reduce<Message>((message, status, i) => {
    if (!mayMove(message.status, status)) return message;
    const error: MessageError | undefined =
      status === 'failed' ? { code: 'undeliverable', message: 'No.', channel_code: 131026 } : undefined;
    return { ...message, ...moved(message, status, i + 1, error) };
  }, accepted());
}

describe('the lifecycle of a message', () => {
  it('allows exactly the moves of the contract', () => {
    const allowed = statuses.flatMap((from) => movesFrom(from).map((to) => `${from} → ${to}`));
    expect(allowed).toEqual([
      'accepted → sent',
      'accepted → delivered',
      'accepted → read',
      'accepted → failed',
      'sent → delivered',
      'sent → read',
      'sent → failed',
      'delivered → read',
      'delivered → failed',
    ]);
  });

  it('has its latest state last in its history, and an error only where it failed', () => {
    fc.assert(
      fc.property(fc.array(anyStatus), (reports) => {
        const message = after(reports);
        expect(message.history.at(-1)?.status).toBe(message.status);
        expect(message.error === null).toBe(message.status !== 'failed');
        for (const entry of message.history) expect(entry.error !== undefined).toBe(entry.status === 'failed');
      }),
    );
  });

  it('reads as one of four states in the lookup', () => {
    expect(statuses.map(lookupStatus)).toEqual(['sent', 'sent', 'delivered', 'read', 'failed']);
  });
});
