/** A change is reported once it is durable: after a crash the same fact must not have another id. */
import { expect, it, onTestFinished } from 'vitest';
import type { Sender } from '../../src/webhooks/send.js';
import type { Outcome } from '../../src/webhooks/exchange.js';
import { World } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';
import { CrashDisk } from './crash-disk.js';

async function started() {
  const disk = new CrashDisk();
  disk.slow = 'worker';
  const durable = () => disk.durable('/data/worker.journal');
  const told: { readonly event: string; readonly kept: boolean }[] = [];
  const sender: Sender = {
    send: ({ url, headers, body }) => {
      const { id } = JSON.parse(body) as { id: string };
      told.push({ event: id, kept: durable().includes(id) });
      const request = { url, headers, body };
      const outcome: Outcome = { ok: true, status: 200, durationMs: 0, sentTo: url, plain: false, request };
      return Promise.resolve(outcome);
    },
    close: () => Promise.resolve(),
  };
  const sandbox = await startTestSandbox({ dataDir: '/data', fsync: 'always' }, { disk, sender });
  onTestFinished(() => sandbox.close());
  return { world: new World(sandbox.url, 'worker'), durable, told };
}

it('a receiver of an event', async () => {
  const { world, told } = await started();
  await world.register('https://app.example.test/hook', ['message.received']);
  const { event_id } = await world.inbound('+12025550110');
  await world.idle();
  expect(told).toEqual([{ event: event_id, kept: true }]);
});

it.each(['always', 'interval'] as const)(
  'the journal has the entry of every call that was answered (%s)',
  async (fsync) => {
    const disk = new CrashDisk();
    const sandbox = await startTestSandbox({ dataDir: '/data', fsync }, { disk });
    onTestFinished(() => sandbox.close());
    const world = new World(sandbox.url, 'worker');
    await world.inbound('+12025550110');
    disk.slow = 'worker';
    const calls = [
      ['POST', '/v1/messages', { to: '+12025550110', type: 'text', text: 'Hello' }],
      ['POST', '/v1/messages', { to: 'nobody' }],
      ['GET', '/v1/templates', undefined],
    ] as const;
    for (const [method, path, body] of calls) {
      const { headers } = await world.call(method, path, body);
      const log = (await disk.read('/data/worker.journal')).toString();
      expect(log).toContain(headers.get('x-sandbox-request'));
    }
  },
);

it('the caller of either plane', async () => {
  const { world, durable } = await started();
  // The file contains the first write; the others are in the journal.
  await world.inbound('+12025550110');
  const { message_id } = await world.inbound('+12025550110');
  expect(durable()).toContain(message_id);
  const sent = await world.reply('+12025550110');
  expect(durable()).toContain(sent);
});
