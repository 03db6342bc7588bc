import { expect, it } from 'vitest';
import { transaction } from '../../src/account/account.js';
import type { Sender } from '../../src/webhooks/send.js';
import { customerWrites } from '../../src/simulation/customer-writes.js';
import { closing } from '../support/closing.js';
import { newWorld } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

const to = '+12025550119';

it('a chain that never ends at one instant is told as a loop that names its cycle, and the account can go on', async () => {
  let looping = false;
  // Each event makes the receiver cause the next one, ten thousand times: without a network, that takes a second.
  const sender: Sender = {
    send: async ({ url, headers, body }) => {
      await Promise.resolve();
      if (looping) transaction(account, () => customerWrites(account, { from: to }, { by: 'default', text: 'ping' }));
      const response = { headers: {}, body: '', truncated: false };
      const request = { url, headers, body };
      return { ok: true, status: 200, durationMs: 0, sentTo: url, plain: false, request, response };
    },
    close: () => Promise.resolve(),
  };
  const sandbox = closing(await startTestSandbox({ clock: frozen, maxJournal: 100 }, { sender }));
  const world = newWorld(sandbox);
  await world.register('https://receiver.test/hook', ['message.received', 'message.status']);
  const account = sandbox.accounts.of(world.key);
  await world.text(to);
  looping = true;
  const answer = await world.call('POST', '/_sandbox/clock/advance', { by: '1s' });
  looping = false;
  expect(answer).toMatchObject({ status: 409, body: { error: { code: 'clock_loop' } } });
  expect(answer.body.error.message).toContain('delivery.attempt');
  expect(answer.body.error.cycle?.join(' ')).toContain('delivery.attempt');
  expect((await world.clock()).now).toBe('2026-03-01T09:00:00.300Z');
  await world.idle();
  expect(await world.advance('1s')).toMatchObject({ now: '2026-03-01T09:00:01.300Z' });
}, 240_000);
