import type { Command } from 'commander';
import { printable } from '../../domain/text.js';
import { newCommand } from '../command.js';
import { CliFailure } from '../failure.js';
import { serverUrl } from '../server-url.js';

/** `readyz`: the health check of a container. */
export function define(): Command {
  const about = 'exit with 0 if the sandbox is ready, with 1 if it is not or does not respond within 2 s';
  return newCommand('readyz', about)
    .option(
      '--url <URL>',
      'URL of the sandbox (MESSAGING_BASE_URL; otherwise the port and host in SANDBOX_PORT, PORT and SANDBOX_HOST; default: http://127.0.0.1:4242)',
    )
    .option('--json', 'print the response as JSON')
    .action(async (flags: { readonly url?: string; readonly json?: boolean }) => {
      const url = serverUrl(flags.url, process.env);
      const { status, text } = await ask(url);
      const ready = status === 200;
      if (flags.json) process.stdout.write(`${printable(JSON.stringify({ ready, url, status, answer: text }))}\n`);
      else if (ready) process.stdout.write(`${url} is ready\n`);
      if (!ready) throw new CliFailure(1, `${url} is not ready: it responded with ${status} "${text}".`);
    });
}

async function ask(url: string): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) });
    return { status: response.status, text: (await response.text()).slice(0, 200).trim() };
  } catch (error) {
    throw new CliFailure(1, `${url} is not ready: ${reasonOf(error as Error)}.`, { cause: error });
  }
}

function reasonOf({ name, message, cause }: Error): string {
  if (name === 'TimeoutError') return 'no response within 2 s';
  if (!(cause instanceof Error)) return message;
  return 'code' in cause && cause.code === 'ECONNREFUSED' ? 'nothing listens there' : cause.message;
}
