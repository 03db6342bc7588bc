/**
 * The setup of tests of retries, pauses and redeliveries: a sandbox with a frozen clock, and receivers with given
 * responses.
 */
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Config } from '../../src/config/index.js';
import { defaultDialect } from '../../src/dialect/index.js';
import type { Sandbox } from '../../src/sandbox.js';
import { newWorld as worldIn, type World } from './client.js';
import { startReceiver, type Receiver } from './receivers.js';
import { startTestSandbox } from './sandbox.js';

export const start = Date.UTC(2026, 2, 1, 9);
/** The frozen instant this many minutes after the start. */
export const at = (minutes: number): string => new Date(start + minutes * 60_000).toISOString();

/** The dialect under which 24 hours without any success pause an endpoint. */
export const pauseByEndpoint: Partial<Config> = {
  dialect: { ...defaultDialect, webhooks: { ...defaultDialect.webhooks, pause: 'endpoint' } },
};

type Handler = Parameters<typeof startReceiver>[0];

export function useFrozenReceivers(config: Partial<Config> = {}) {
  let sandbox: Sandbox;
  const opened: Receiver[] = [];
  beforeAll(async () => {
    sandbox = await startTestSandbox({ clock: { mode: 'frozen', scale: 1, startMs: start }, ...config });
  });
  afterAll(() => sandbox.close());
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });

  const newWorld = (): World => worldIn(sandbox);

  /** A receiver that is closed after the test. */
  const receiver = async (handler: Handler): Promise<Receiver> => {
    const app = await startReceiver(handler);
    opened.push(app);
    return app;
  };

  /** A receiver whose responses come from `answer`, by the number of requests so far, from 1. */
  const answering = (answer: (count: number) => number): Promise<Receiver> => {
    let count = 0;
    return receiver((response) => response.writeHead(answer((count += 1))).end());
  };

  /** Writes as a customer, and waits for the first attempt at such a receiver. */
  const written = async (answer: (count: number) => number): Promise<{ app: Receiver; world: World }> => {
    const [app, world] = [await answering(answer), newWorld()];
    await world.register(app.url(), ['message.received']);
    await world.inbound('+12025550110');
    await world.idle();
    return { app, world };
  };

  return { newWorld, receiver, answering, written };
}
