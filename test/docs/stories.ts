/** Stories of one account, for the messages of the documentation. */
import type { World } from '../support/client.js';
import { newWorld } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';
import { startReceiver } from '../support/receivers.js';

const frozen = { mode: 'frozen', scale: 1, startMs: Date.UTC(2026, 2, 1, 9) } as const;

/** Plays a story in an account of its own, at nine in the morning on a frozen clock. */
export async function play<T>(
  work: (world: World) => Promise<T>,
  config: Parameters<typeof startTestSandbox>[0] = {},
  parts: Parameters<typeof startTestSandbox>[1] = {},
): Promise<T> {
  const sandbox = await startTestSandbox({ clock: frozen, ...config }, parts);
  try {
    return await work(newWorld(sandbox, 'shop'));
  } finally {
    await sandbox.close();
  }
}

/** Runs `meanwhile` while a receiver has a request and does not respond; it responds afterwards. */
export async function whileHeld<T>(
  world: World,
  meanwhile: (endpoint: string) => Promise<T>,
  ask: (endpoint: string) => Promise<unknown> = () => world.text(),
): Promise<T> {
  const held: (() => void)[] = [];
  let over = false;
  const receiver = await startReceiver((response) => {
    if (over) response.end();
    else held.push(() => response.end());
  });
  try {
    const { webhook_id: endpoint } = await world.register(receiver.url());
    const asked = receiver.nextRequest();
    void ask(endpoint).catch(() => undefined);
    await asked;
    return await meanwhile(endpoint);
  } finally {
    over = true;
    for (const release of held) release();
    await world.idle();
    await receiver.close();
  }
}
