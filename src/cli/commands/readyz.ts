import type { Command } from 'commander';
import { connectionSettings } from '../client.js';
import { CliFailure } from '../failure.js';

/** `readyz`: the health check of a container. */
export function readyz(command: Command): void {
  command
    .option(
      '--url <URL>',
      'URL of the sandbox (MESSAGING_BASE_URL; otherwise the port and host in SANDBOX_PORT, PORT and SANDBOX_HOST; default: http://127.0.0.1:4242)',
    )
    .action(async (flags: { readonly url?: string }) => {
      const { url } = connectionSettings(flags);
      const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch((error: unknown) => {
        const { message, cause } = error as Error;
        const reason = cause instanceof Error ? cause.message : message;
        throw new CliFailure(1, `${url} is not ready: ${reason}.`, { cause: error });
      });
      const text = (await response.text()).slice(0, 200).trim();
      if (!response.ok) throw new CliFailure(1, `${url} is not ready: it responded with ${response.status} "${text}".`);
      process.stdout.write(`${url} is ready\n`);
    });
}
