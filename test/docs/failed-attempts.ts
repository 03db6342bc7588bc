/** The messages of failed attempts in docs/troubleshooting.md: error and reason, then the hint. */
import { createSender, type SenderOptions } from '../../src/webhooks/sender/sender.js';
import { machineTime } from '../../src/time/system-clock.js';
import type { World } from '../support/client.js';
import { namesFrom } from '../support/names.js';
import { startReceiver } from '../support/receivers.js';
import { play } from './api-errors.js';

/** As on a developer's machine, outside of containers, with a resolver that knows no name. */
async function attempt(url: string, options: Partial<SenderOptions> = {}): Promise<string> {
  const sender = createSender({
    host: machineTime,
    routes: [],
    allowPublic: false,
    insideContainer: false,
    lookup: namesFrom({}),
    ...options,
  });
  const story = async (world: World) => {
    await world.register(url, ['message.received']);
    await world.inbound('+12025550123');
    await world.idle();
    const [delivery] = await world.deliveries();
    const failed = delivery?.attempts[0];
    return `${failed?.error ?? 'no error'}: ${failed?.reason ?? ''}\n${failed?.hint ?? ''}`.trimEnd();
  };
  return play(story, {}, { sender });
}

export const failedAttempts: Readonly<Record<string, () => Promise<string>>> = {
  refused: async () => {
    const gone = await startReceiver();
    await gone.close();
    return (await attempt(`https://127.0.0.1:${gone.port}/hook`)).replaceAll(`${gone.port}`, '3000');
  },
  'unknown-name': () => attempt('https://shop.example.com/hook'),
  public: () => attempt('https://203.0.113.7/hook'),
  'non-2xx': async () => {
    const receiver = await startReceiver((response) => response.writeHead(401).end());
    try {
      return await attempt(receiver.url());
    } finally {
      await receiver.close();
    }
  },
  timeout: async () => {
    const receiver = await startReceiver(() => undefined);
    try {
      return (await attempt(receiver.url(), { timeoutMs: 150 })).replace('150ms', '10s');
    } finally {
      await receiver.close();
    }
  },
};
