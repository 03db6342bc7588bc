/** A client that does not keep up is disconnected, and nothing waits for it. */
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { closing } from '../support/closing.js';
import { newWorld, type World } from '../support/client.js';
import { ManualHost } from '../support/manual-host.js';
import { startTestSandbox } from '../support/sandbox.js';
import { LiveSocket } from './support.js';

const start = async (...args: Parameters<typeof startTestSandbox>) => closing(await startTestSandbox(...args));

/** An event of 64 KiB: with its delivery, its attempt and the request at the sink, its frames have some 400 KB. */
const large = (world: World) =>
  world.call('POST', '/_sandbox/events', { type: 'message.received', data: { text: 'x'.repeat(63 * 1024) } });

it('a client that stops reading is dropped with 1013, and nobody else notices', async () => {
  const sandbox = await start();
  const world = newWorld(sandbox);
  const [slow, healthy] = [
    await LiveSocket.open(sandbox, `key=${world.key}`),
    await LiveSocket.open(sandbox, `key=${world.key}`),
  ];
  slow.socket.pause();
  await world.register('https://sink.sandbox/large', ['message.received']);
  // More than the system's buffers and ours together hold.
  for (let n = 0; n < 50; n += 1) {
    expect((await large(world)).status).toBe(200);
    // Keeps up on a busy machine, too, on which both ends share a process.
    await healthy.next('event.created');
  }
  slow.socket.resume();
  // One that has not read why after five seconds, as on a busy machine, is cut off.
  const { code, reason } = await slow.closed;
  expect([code, reason]).toEqual(code === 1006 ? [1006, ''] : [1013, 'too slow: over 1024 KiB unread']);
  expect(slow.of('event.created').length).toBeLessThan(50);
});

it('a client that gives no sign of life for a whole beat is cut off, one that does stays', async () => {
  const hostTime = new ManualHost();
  const sandbox = await start({}, { hostTime });
  const dead = await LiveSocket.open(sandbox, 'key=k', { autoPong: false });
  const alive = await LiveSocket.open(sandbox, 'key=k');
  const asked = Promise.all([once(dead.socket, 'ping'), once(alive.socket, 'ping')]);
  hostTime.tick(30_000);
  await asked;
  // Its pong has arrived when what it says after it is answered.
  alive.say('hello');
  await alive.next('error');
  hostTime.tick(30_000);
  expect((await dead.closed).code).toBe(1006);
  alive.say('still here');
  await alive.next('error');
  await alive.close();
});

it('a client that does not read does not hold up the stop of the sandbox', async () => {
  const sandbox = await startTestSandbox();
  const world = newWorld(sandbox);
  const stuck = await LiveSocket.open(sandbox, `key=${world.key}`);
  stuck.socket.pause();
  await world.register('https://sink.sandbox/large', ['message.received']);
  for (let n = 0; n < 30; n += 1) await large(world);
  const startedMs = performance.now();
  await sandbox.close();
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  stuck.socket.terminate();
});
