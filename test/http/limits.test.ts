/** Every limit of an account is reported when it is reached, and there is room again when a record goes. */
import { describe, expect } from 'vitest';
import { maxEndpoints, maxRules, maxSnapshots } from '../../src/domain/limits.js';
import { maxConnections } from '../../src/http/server.js';
import { maxEvents } from '../../src/webhooks/events.js';
import { maxSinkRequests } from '../../src/webhooks/sink.js';
import type { Control } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';

const { it } = useSandbox({ clock: { mode: 'frozen', scale: 1, startMs: null } });

describe('an account may have only so many', () => {
  it('snapshots: one more is 429, one that is replaced or deleted makes none', async ({ world }) => {
    for (let n = 0; n < maxSnapshots; n += 1) await world.post('/_sandbox/snapshots', { name: `s${n}` });
    const first = await world.get<object>('/_sandbox/snapshots/s0');
    for (const [method, path, body] of [
      ['POST', '/_sandbox/snapshots', { name: 'more' }],
      ['PUT', '/_sandbox/snapshots/more', first],
    ] as const) {
      const { status, body: refusal } = await world.call(method, path, body);
      expect([method, status, refusal.error.code]).toEqual([method, 429, 'limit_reached']);
      expect(refusal.error.message).toBe(
        `Limit reached: this account already has ${maxSnapshots} snapshots. Delete one with DELETE /_sandbox/snapshots/NAME.`,
      );
    }
    await world.put('/_sandbox/snapshots/s0', first);
    await world.delete('/_sandbox/snapshots/s1');
    await world.post('/_sandbox/snapshots', { name: 'more' });
  });

  it('rules added at run time', async ({ world }) => {
    const rule = (id: string) => ({ id, when: 'message.send', then: { respond: { status: 503 } } });
    for (let n = 0; n < maxRules; n += 1) await world.post('/_sandbox/rules', rule(`r${n}`));
    const { status, body } = await world.call('POST', '/_sandbox/rules', rule('more'));
    expect([status, body.error.code]).toEqual([429, 'limit_reached']);
    expect(body.error.message).toContain('Remove one with DELETE /_sandbox/rules/ID');
    await world.delete('/_sandbox/rules/r0');
    await world.post('/_sandbox/rules', rule('more'));
  });

  it('webhooks; one that is registered again is no new one', async ({ world }) => {
    for (let n = 0; n < maxEndpoints; n += 1) await world.register(`https://sink.sandbox/s${n}`);
    const { status, body } = await world.call('POST', '/v1/webhooks', {
      url: 'https://sink.sandbox/more',
      events: ['message.status'],
    });
    expect([status, body.error.code]).toEqual([429, 'limit_reached']);
    const { webhook_id: id } = await world.register('https://sink.sandbox/s0');
    await world.call('DELETE', `/v1/webhooks/${id}`);
    await world.register('https://sink.sandbox/more');
  });

  it('and GET /_sandbox/info names each of these, and what else is limited', async ({ world }) => {
    const { limits } = await world.get<Control['Info']>('/_sandbox/info');
    expect(limits).toMatchObject({ snapshots: maxSnapshots, rules: maxRules, webhooks: maxEndpoints });
    expect(limits).toMatchObject({ journal: 10_000, events: maxEvents, sockets: 1_000, connections: maxConnections });
    expect(limits.sink_requests).toBe(maxSinkRequests);
    const all = `
      accounts attempt_bytes attempts body_bytes copies connections transfer_bytes event_bytes events
      journal journal_bytes memory_bytes rules scenario_chars sink_bytes sink_requests snapshot_bytes
      snapshot_memory_bytes snapshots sockets webhooks`;
    expect(Object.keys(limits).sort()).toEqual(all.trim().split(/\s+/).sort());
  });
});
