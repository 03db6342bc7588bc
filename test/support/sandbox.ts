/** A sandbox of its own for a test, on a free port, which audits itself: a test that makes it break a document fails. */
import { defaultConfig, type Config } from '../../src/config/index.js';
import { startSandbox, type Sandbox, type SandboxParts } from '../../src/sandbox.js';

/** @throws from `close`, with what broke the documents, unless `audit: false` was asked for */
export async function startTestSandbox(config: Partial<Config> = {}, parts: SandboxParts = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ ...defaultConfig, port: 0, logLevel: 'error', audit: true, ...config }, parts);
  return {
    ...sandbox,
    close: async () => {
      await sandbox.close();
      requireCleanAudit(sandbox);
    },
  };
}

function requireCleanAudit({ audit }: Sandbox): void {
  if (!audit || audit.count === 0) return;
  const kinds = audit.violations.map(
    ({ of, operation, method, path, status, where, expected, found }) =>
      `${of} ${operation ?? `${method} ${path}`} ${status ?? ''} ${where}: ${expected}; found ${found}`,
  );
  throw new Error(
    `The sandbox broke its own documents ${audit.count} times:\n${[...new Set(kinds)].slice(0, 20).join('\n')}`,
  );
}
