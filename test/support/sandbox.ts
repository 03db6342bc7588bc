/** A sandbox of its own for a test, on a free port. */
import { defaultConfig, type Config } from '../../src/config.js';
import { startSandbox, type Sandbox, type SandboxParts } from '../../src/sandbox.js';

export function startTestSandbox(config: Partial<Config> = {}, parts: SandboxParts = {}): Promise<Sandbox> {
  return startSandbox({ ...defaultConfig, port: 0, logLevel: 'error', ...config }, parts);
}
