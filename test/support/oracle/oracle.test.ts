/** What the sandbox sends is checked against its documents. */
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';
import { closing } from '../closing.js';
import { newWorld, type Control, type World } from '../client.js';
import { receiver } from '../receivers.js';
import { startCheckedSandbox, type CheckedSandbox } from '../sandbox.js';

const frozen = { clock: { mode: 'frozen', scale: 1, startMs: Date.UTC(2026, 2, 1, 9) } } as const;
const to = '+12025550110';

/** A sandbox whose violations do not fail the test. */
async function checked(): Promise<CheckedSandbox> {
  const sandbox = await startCheckedSandbox(frozen);
  closing({ close: () => sandbox.close().catch(() => undefined) });
  return sandbox;
}

/** Breaks a stored row as a bug would, below everything that validates. */
function breakMessage({ accounts }: Sandbox, world: World, id: string): void {
  const message = accounts.of(world.key).store.tables.messages.get(id);
  if (!message) throw new Error('no such message');
  Object.assign(message, { wamid: 'not a wamid' });
}

describe('the oracle', () => {
  it('reports a response that breaks the document; the sandbox itself answers 500', async () => {
    const sandbox = await checked();
    const world = newWorld(sandbox);
    const id = await world.text(to);
    breakMessage(sandbox, world, id);
    expect((await world.call('GET', `/v1/messages/${id}`)).status).toBe(500);
    expect(sandbox.oracle.violations).toContainEqual(
      expect.objectContaining({ of: 'api', subject: 'getMessage 500', where: 'status' }),
    );
    await expect(sandbox.close()).rejects.toThrow('api getMessage 500 status');
  });

  it('reports an event that breaks the document', async () => {
    const sandbox = await checked();
    const world = newWorld(sandbox);
    await world.register('https://sink.sandbox/app');
    breakMessage(sandbox, world, await world.text(to));
    await world.advance('1h');
    expect(sandbox.oracle.violations).toContainEqual({
      of: 'event',
      subject: 'message.status to https://sink.sandbox/app',
      where: 'body.data.wamid',
      expected: expect.stringContaining('wamid') as string,
      found: '"not a wamid"',
    });
  });

  it('excuses what a rule, a header or a caller made invalid on purpose', async () => {
    const sandbox = await checked();
    const world = newWorld(sandbox);
    const app = await receiver();
    await world.register(app.url('/hook'));
    await world.post('/_sandbox/rules', {
      when: 'api.any',
      match: { path: '/v1/messages/*' },
      then: { respond: { status: 200, body: { nonsense: true } } },
    });
    expect((await world.call('GET', '/v1/messages/nope')).body).toEqual({ nonsense: true });
    await world.call('GET', '/v1/templates', undefined, { 'x-sandbox-prefer': 'status=500' });
    await world.post('/_sandbox/events', { type: 'message.status', webhook: { body: 'unknown_type' } });
    await world.idle();
    expect(app.received).toHaveLength(1);
    const nonsense = { type: 'message.status', data: { status: 42 }, webhook: { body: 'unknown_type' } };
    const { event } = await world.post<Control['EmitResult']>('/_sandbox/events', nonsense);
    await world.idle();
    // What the fault hid the first time shows when it is sent again: data that no schema allows.
    await world.post(`/_sandbox/events/${event.id}/redeliver`);
    await world.post('/_sandbox/events', { type: 'message.status', data: { status: 'read' } });
    await world.idle();
    const { violations, excused, checked: counts } = sandbox.oracle;
    expect({ violations, excused, event: counts.event }).toEqual({ violations: [], excused: 5, event: 1 });
  });
});
