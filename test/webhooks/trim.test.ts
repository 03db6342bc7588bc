import { describe, expect, it } from 'vitest';
import { trimEvents } from '../../src/webhooks/event-log.js';
import { closing } from '../support/closing.js';
import { startTestSandbox } from '../support/sandbox.js';

describe('the event log', () => {
  it('drops the oldest events with their deliveries and attempts, but none that is still owed', async () => {
    const sandbox = closing(
      await startTestSandbox({ clock: { mode: 'frozen', scale: 1, startMs: Date.UTC(2026, 2, 1) } }),
    );
    const account = sandbox.accounts.of('trim');
    const { tables } = account.store;
    const call = async (path: string, body: object) => {
      const headers = { authorization: 'Bearer trim', 'content-type': 'application/json' };
      const answer = await fetch(`${sandbox.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(answer.status).toBe(200);
    };
    await call('/v1/webhooks', { url: 'https://sink.sandbox/app', events: ['message.received'] });
    for (let i = 0; i < 5; i += 1) await call('/_sandbox/inbound', { from: '+12025550199', text: `${i}` });
    await call('/_sandbox/clock/advance', { by: '1s' });
    expect([tables.events.size, tables.deliveries.size, tables.attempts.size]).toEqual([5, 5, 5]);
    account.store.update(() => trimEvents(account.store, 3));
    expect([tables.events.size, tables.deliveries.size, tables.attempts.size]).toEqual([3, 3, 3]);
    const oldest = tables.deliveries.all().at(0)!;
    account.store.update(() => {
      tables.deliveries.patch(oldest, { state: 'retrying' });
      trimEvents(account.store, 1);
    });
    expect(tables.events.size).toBe(3);
  });
});
