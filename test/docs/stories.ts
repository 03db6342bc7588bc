/** Stories of one account, for the messages of the documentation. */
import type { World } from '../support/client.js';
import { newWorld } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';

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
