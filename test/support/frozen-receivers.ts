/**
 * The setup of tests of retries, pauses and redeliveries: a sandbox with a frozen clock, and receivers with given
 * responses.
 */
import type { Config } from '../../src/config/index.js';
import { newWorld as worldIn, type World } from './client.js';
import { receiver, type Receiver } from './receivers.js';
import { useSandbox } from './sandbox.js';
import { frozen, startMs as start } from './scenes.js';

export { start };
/** The frozen instant this many minutes after the start. */
export const at = (minutes: number): string => new Date(start + minutes * 60_000).toISOString();

/** A receiver whose responses come from `answer`, by the number of requests so far, from 1. */
export function answering(answer: (count: number) => number): Promise<Receiver> {
  let count = 0;
  return receiver((response) => response.writeHead(answer((count += 1))).end());
}

export function useFrozenReceivers(config: Partial<Config> = {}) {
  const { sandbox } = useSandbox({ clock: frozen, ...config });
  const newWorld = (): World => worldIn(sandbox);

  /** Writes as a customer, and waits for the first attempt at such a receiver. */
  const written = async (answer: (count: number) => number): Promise<{ app: Receiver; world: World }> => {
    const [app, world] = [await answering(answer), newWorld()];
    await world.register(app.url(), ['message.received']);
    await world.inbound('+12025550110');
    await world.idle();
    return { app, world };
  };

  return { newWorld, written };
}
