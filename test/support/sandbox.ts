/** A sandbox for a test, on a free port. */
import { afterAll, beforeAll, test } from 'vitest';
import { defaultConfig, type Config } from '../../src/config/index.js';
import { startSandbox, type Sandbox, type SandboxParts } from '../../src/sandbox.js';
import { newWorld } from './client.js';
import { Oracle } from './oracle/oracle.js';

export function startTestSandbox(config: Partial<Config> = {}, parts: SandboxParts = {}): Promise<Sandbox> {
  return startSandbox({ ...defaultConfig, port: 0, logLevel: 'error', ...config }, { warmUpAfterMs: null, ...parts });
}

export interface CheckedSandbox extends Sandbox {
  readonly oracle: Oracle;
}

/**
 * A sandbox of which every response and event is checked against the documents. That takes time, so only some tests use
 * it.
 * @throws from `close`, with all violations of the documents
 */
export async function startCheckedSandbox(
  config: Partial<Config> = {},
  parts: SandboxParts = {},
): Promise<CheckedSandbox> {
  const oracle = new Oracle(config.dialect);
  const sandbox = await startTestSandbox(config, { ...parts, observer: oracle.observer });
  return {
    ...sandbox,
    oracle,
    close: async () => {
      await sandbox.close();
      oracle.requireClean();
    },
  };
}

/** A sandbox for the tests of a file or of a `describe`, and an `it` that gives each of them an account of its own. */
export const useSandbox = (config?: Partial<Config>, parts?: SandboxParts) =>
  used(() => startTestSandbox(config, parts));

/** The same, of a sandbox that is checked. */
export const useCheckedSandbox = (config?: Partial<Config>, parts?: SandboxParts) =>
  used(() => startCheckedSandbox(config, parts));

function used<S extends Sandbox>(start: () => Promise<S>) {
  let started: S;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started.close());
  // Tests name it before it is started.
  const sandbox = new Proxy({} as S, { get: (_, name): unknown => Reflect.get(started, name) });
  return { sandbox, it: test.extend('world', () => newWorld(sandbox)) };
}
