/** A sandbox for a test, on a free port. */
import { afterAll, beforeAll, test } from 'vitest';
import { defaultConfig, type Config } from '../../src/config/index.js';
import { startSandbox, type OpenSandbox, type SandboxParts } from '../../src/sandbox.js';
import { newWorld } from './client.js';
import { DocumentCheck } from './document-check.js';

export function startTestSandbox(config: Partial<Config> = {}, parts: SandboxParts = {}): Promise<OpenSandbox> {
  return startSandbox({ ...defaultConfig, port: 0, logLevel: 'error', ...config }, { warmUpAfterMs: null, ...parts });
}

/**
 * A sandbox whose events are checked against the API document when it closes, and with the check for the responses that
 * a client gets. That takes time, so only some tests use it.
 */
async function startCheckedSandbox(config: Partial<Config> = {}, parts: SandboxParts = {}) {
  const check = new DocumentCheck(config.dialect);
  const sandbox = await startTestSandbox(config, { ...parts, observed: (sender) => check.watch(sender) });
  const close = async () => {
    await sandbox.close();
    check.requireClean();
  };
  return { ...sandbox, check, close };
}

/** A sandbox for the tests of a file or of a `describe`, and an `it` that gives each of them an account of its own. */
export const useSandbox = (config?: Partial<Config>, parts?: SandboxParts) =>
  used(() => startTestSandbox(config, parts));

/** The same, of a sandbox whose responses and events are checked against the documents. */
export const useCheckedSandbox = (config?: Partial<Config>, parts?: SandboxParts) =>
  used(() => startCheckedSandbox(config, parts));

function used<S extends OpenSandbox>(start: () => Promise<S>) {
  let started: S;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started.close());
  // Tests name it before it is started.
  const sandbox = new Proxy({} as S, { get: (_, name): unknown => Reflect.get(started, name) });
  return { sandbox, it: test.extend('world', () => newWorld(sandbox)) };
}
