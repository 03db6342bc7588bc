import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { readDuration } from '../../config/values.js';
import { machineTime, pause } from '../../time/system-clock.js';
import { connectionSettings } from '../client.js';
import { valueOption } from '../command.js';
import { CliFailure } from '../../failure.js';

/** Machine milliseconds. */
const longestMs = 2_000;
const lookAgainMs = 200;

export function readyz(command: Command): void {
  command
    .option(
      '--url <URL>',
      'URL of the sandbox (MESSAGING_BASE_URL; default: made from SANDBOX_PORT, PORT, SANDBOX_HOST and SANDBOX_TLS_CERT, or http://127.0.0.1:4242)',
    )
    .addOption(
      valueOption(
        '--wait <DURATION>',
        'longest wait until the sandbox is ready; default: 0s',
        readDuration(600_000, '10m'),
      ),
    )
    .action(async (flags: { readonly url?: string; readonly wait?: number }) => {
      const { url } = connectionSettings(flags);
      const untilMs = machineTime.monotonic() + (flags.wait ?? 0);
      for (;;) {
        const trouble = await troubleOf(url);
        if (trouble === null) break;
        if (machineTime.monotonic() >= untilMs) throw new CliFailure(1, `${url} is not ready: ${trouble}.`);
        await pause(lookAgainMs);
      }
      process.stdout.write(`${url} is ready\n`);
    });
}

/** Null if the sandbox is ready. Its certificate is not verified: no credential is sent. */
async function troubleOf(url: string): Promise<string | null> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  const options = { signal: AbortSignal.timeout(longestMs), agent: false as const, rejectUnauthorized: false };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${url}/readyz`, options).once('response', resolve).on('error', reject).end();
    });
    const body = (await text(response)).slice(0, 200).trim();
    const { statusCode = 0 } = response;
    return statusCode >= 200 && statusCode <= 299 ? null : `it responded with ${statusCode} "${body}"`;
  } catch (error) {
    const { name, message, errors } = error as Error & { readonly errors?: readonly Error[] };
    return name === 'AbortError' ? 'no response within 2s' : (errors?.[0]?.message ?? message);
  }
}
