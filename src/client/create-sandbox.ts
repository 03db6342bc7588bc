import { sandboxClient, type SandboxClient } from './client.js';
import { flagsOf, optionOf, type SandboxOptions } from './options.js';
import { invalidOption, SandboxError, type SandboxErrorDetail } from './sandbox-error.js';

/**
 * Starts a sandbox in this process, on a free port by default, and returns its client. It reads no settings from the
 * environment, so that a test behaves the same on every machine. Close it, or `await using` it.
 * @throws SandboxError `invalid_option`, `scenario_invalid` or `start_failed`
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<SandboxClient> {
  // Loaded at the first start: a program that imports the package only to connect or to verify does not need it.
  const { ConfigError, configOptionList, resolveConfig, startSandbox } = await import('./server.js');
  const key = options.key ?? 'test_default';
  try {
    const config = resolveConfig({ flags: flagsOf(options, configOptionList) });
    // Building the validator holds the process, so the first calls of a test come before it.
    const sandbox = await startSandbox(config, { warmUpAfterMs: 1_000 });
    try {
      const { controlToken, tlsCert: certificate } = config;
      return sandboxClient({
        url: reachable(sandbox.url),
        key,
        controlToken,
        certificate,
        stop: () => sandbox.close(),
      });
    } catch (error) {
      await sandbox.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof SandboxError) throw error;
    if (error instanceof ConfigError) {
      throw invalidOption(error.message.replace(error.source, optionOf(error.source)), error);
    }
    throw startError(error);
  }
}

/** If the sandbox listens on every address, the client calls the loopback address. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

function startError(cause: unknown): SandboxError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'EADDRINUSE') {
    return new SandboxError({
      code: 'start_failed',
      message: `The port is taken (${message}). Leave "port" out, or give 0, for a free one.`,
      cause,
    });
  }
  if (cause instanceof Error && cause.name === 'ScenarioStartError' && 'problems' in cause) {
    const details = cause.problems as readonly SandboxErrorDetail[];
    return new SandboxError({ code: 'scenario_invalid', message, details, cause });
  }
  return new SandboxError({ code: 'start_failed', message, cause });
}
