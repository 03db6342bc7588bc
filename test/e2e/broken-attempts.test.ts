/** Injected bugs inside an attempt: the process survives, the clock moves, and the retry schedule continues. */
import { afterEach, describe, expect, vi } from 'vitest';
import type { Log, LogFields } from '../../src/log.js';
import { machineTime } from '../../src/time/system-clock.js';
import { createSender } from '../../src/webhooks/send.js';
import type { Sender } from '../../src/webhooks/send.js';
import type { Control, World } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

const network = createSender({ host: machineTime, routes: [], allowPublic: false, insideContainer: false });
const broken = { count: 0 };
const sender: Sender = {
  send(request) {
    if (broken.count === 0) return network.send(request);
    broken.count -= 1;
    return Promise.reject(new TypeError('a bug of the sender'));
  },
  close: () => network.close(),
};
const errors: [text: string, fields: LogFields | undefined][] = [];
const quiet = () => undefined;
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: (text, fields) => errors.push([text, fields]) };

const { it } = useSandbox({ clock: frozen }, { sender, log });
afterEach(() => {
  vi.restoreAllMocks();
  errors.length = broken.count = 0;
});

async function written(world: World): Promise<void> {
  await world.register('https://sink.sandbox/app', ['message.received']);
  await world.inbound('+12025550110');
  await world.idle();
}

const told = (world: World, bug: string) => [
  [
    `A job of kind delivery.attempt failed: TypeError: ${bug}`,
    { account: world.key, job: expect.any(String) as string },
  ],
];

const internal: Partial<Control['Attempt']> = {
  status: null,
  error: 'internal_error',
  reason: 'The sandbox failed to make this attempt; see its log for the reason.',
  hint: 'This is a bug of the sandbox, not of the receiver. Please report it with the line of the log.',
};

describe('what is thrown while an attempt is made', () => {
  it('is a failed attempt, reported in the log, and retried on schedule', async ({ world }) => {
    broken.count = 1;
    await written(world);
    const [delivery] = await world.deliveries();
    expect(delivery).toMatchObject({
      state: 'retrying',
      attempts: [{ number: 1, ...internal }],
      next_attempt_at: '2026-03-01T09:01:00.000Z',
    });
    expect(errors).toEqual(told(world, 'a bug of the sender'));
    await world.advance('1m');
    expect(await world.deliveries()).toMatchObject([{ state: 'delivered', attempts: [internal, { status: 200 }] }]);
  });
});
