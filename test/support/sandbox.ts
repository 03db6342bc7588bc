/** A sandbox for a test, on a free port. */
import { defaultConfig, type Config } from '../../src/config/index.js';
import { startSandbox, type Sandbox, type SandboxParts } from '../../src/sandbox.js';
import { Oracle } from './oracle/oracle.js';

export function startTestSandbox(config: Partial<Config> = {}, parts: SandboxParts = {}): Promise<Sandbox> {
  return startSandbox({ ...defaultConfig, port: 0, logLevel: 'error', ...config }, parts);
}

export interface CheckedSandbox extends Sandbox {
  readonly oracle: Oracle;
}

/**
 * A sandbox of which every response and event is checked against the documents. That takes time, so only some tests use it.
 * @throws from `close`, with everything that broke the documents
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
