/** A sandbox that breaks its documents is found out: without these tests, nobody would notice a check that is blind. */
import { expect, it } from 'vitest';
import { closing } from '../closing.js';
import { newWorld } from '../client.js';
import { startCheckedSandbox } from '../sandbox.js';

const frozen = { clock: { mode: 'frozen', scale: 1, startMs: Date.UTC(2026, 2, 1, 9) } } as const;

/** A sandbox with a message whose stored row is broken as by a bug, below everything that validates. */
async function broken() {
  const sandbox = await startCheckedSandbox(frozen);
  closing({ close: () => sandbox.close().catch(() => undefined) });
  const world = newWorld(sandbox);
  await world.register('https://sink.sandbox/app');
  const id = await world.text('+12025550110');
  const message = sandbox.accounts.of(world.key).store.tables.messages.get(id);
  Object.assign(message ?? {}, { wamid: 'not a wamid' });
  return { sandbox, world, id };
}

it('reports a response that breaks the document, for which the sandbox itself responds with 500', async () => {
  const { sandbox, world, id } = await broken();
  expect((await world.call('GET', `/v1/messages/${id}`)).status).toBe(500);
  expect(sandbox.oracle.violations).toContainEqual(
    expect.objectContaining({ of: 'api', subject: 'getMessage 500', where: 'status' }),
  );
  await expect(sandbox.close()).rejects.toThrow('api getMessage 500 status');
});

it('reports an event that breaks the document', async () => {
  const { sandbox, world } = await broken();
  await world.advance('1h');
  expect(sandbox.oracle.violations).toContainEqual({
    of: 'event',
    subject: 'message.status to https://sink.sandbox/app',
    where: 'body.data.wamid',
    expected: expect.stringContaining('wamid') as string,
    found: '"not a wamid"',
  });
});
