import { describe, expect, it } from 'vitest';
import { dataOf, type Event, FreshEvent } from '../../src/domain/event.js';

const atMs = Date.UTC(2026, 2, 1, 9);
const data = { otp_id: 'o1', to: '+12025550150', verified_at: '2026-03-01T09:00:00.000Z' };
const fresh = () => new FreshEvent('evt_1', 7, 'otp.verified', atMs, data, 'o1');

describe('an event of this process', () => {
  it('has the bytes that the interface names', () => {
    const event = fresh();
    expect(event.body).toBe(
      '{"id":"evt_1","type":"otp.verified","created_at":"2026-03-01T09:00:00.000Z",' +
        '"data":{"otp_id":"o1","to":"+12025550150","verified_at":"2026-03-01T09:00:00.000Z"}}',
    );
  });

  it('is written down with its bytes, and read back tells the same', () => {
    const read = JSON.parse(JSON.stringify(fresh())) as Event;
    expect(Object.keys(read)).toEqual(['id', 'seq', 'type', 'createdAtMs', 'body', 'subject']);
    expect(read).toMatchObject({ seq: 7, createdAtMs: atMs, subject: 'o1', body: fresh().body });
    expect(dataOf(read)).toEqual(dataOf(fresh()));
  });
});
