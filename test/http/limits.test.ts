/** Every limit of an account is reported when it is reached, and there is room again when a record goes. */
import { describe, expect, vi } from 'vitest';
import {
  longestRule,
  maxEndpoints,
  maxEvents,
  maxMessages,
  maxRules,
  maxSinkRequests,
  maxSnapshots,
} from '../../src/domain/limits.js';
import { maxConnections } from '../../src/http/server.js';
import type { Row } from '../../src/domain/rows.js';
import type { Table } from '../../src/store/table.js';
import type { Control } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox, it } = useSandbox({ clock: { mode: 'frozen', scale: 1, startMs: null } });

/** Adds copies of its only row until a table is full. */
function fill<R extends Row>(table: Table<R>, most: number): void {
  const [first] = table.all();
  if (!first) throw new Error('the table is empty');
  const copies = Array.from({ length: most - 1 }, (_, n) => ({
    ...first,
    id: first.id.slice(0, -6) + String(n).padStart(6, '0'),
    seq: first.seq + n + 1,
  }));
  table.replace([first, ...copies]);
}

describe('an account may have only so many', () => {
  it('messages: one more is 429, in both directions and as a code', async ({ world }) => {
    await world.template('code', { category: 'authentication' });
    await world.text();
    const size = vi.spyOn(sandbox.accounts.of(world.key).store.tables.messages, 'size', 'get');
    size.mockReturnValue(maxMessages);
    const to = '+12025550110';
    for (const [path, body] of [
      ['/v1/messages', { to, type: 'text', text: 'Hi' }],
      ['/v1/otp/send', { to }],
      ['/_sandbox/inbound', { from: to }],
    ] as const) {
      const { status, body: refusal } = await world.call('POST', path, body);
      expect([path, status, refusal.error.code]).toEqual([path, 429, 'limit_reached']);
    }
    size.mockRestore();
    await world.text();
  });

  it('rules added at run time', async ({ world }) => {
    const rule = (id: string) => ({ id, when: 'message.send', then: { respond: { status: 503 } } });
    await world.post('/_sandbox/rules', rule('r0'));
    fill(sandbox.accounts.of(world.key).store.tables.rules, maxRules);
    const { status, body } = await world.call('POST', '/_sandbox/rules', rule('more'));
    expect([status, body.error.code]).toEqual([429, 'limit_reached']);
    expect(body.error.message).toContain('Remove one with DELETE /_sandbox/rules/ID');
    await world.delete('/_sandbox/rules/r0');
    await world.post('/_sandbox/rules', rule('more'));
  });

  it('characters in such a rule', async ({ world }) => {
    const rule = (texts: number) => ({
      when: 'message.send',
      match: { text: Array.from({ length: texts }, (_, n) => String(n).padStart(1000, 'x')) },
      then: { respond: { status: 503 } },
    });
    await world.post('/_sandbox/rules', rule(15));
    const { status, body } = await world.call('POST', '/_sandbox/rules', rule(17));
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(`at most ${longestRule}`)]);
  });

  it('webhooks; one that is registered again is no new one', async ({ world }) => {
    await world.register('https://sink.sandbox/s0');
    fill(sandbox.accounts.of(world.key).store.tables.endpoints, maxEndpoints);
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
      accounts attempts body_bytes connections copies deliveries events journal kept_body_chars key_chars messages rules rule_chars
      scenario_chars sink_requests sinks snapshot_bytes snapshot_memory_bytes snapshots sockets webhooks`;
    expect(Object.keys(limits).sort()).toEqual(all.trim().split(/\s+/).sort());
  });
});
