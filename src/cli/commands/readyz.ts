/**
 * `readyz`: exits with 0 if the sandbox is ready, otherwise with 1. A container's health check runs it every few
 * seconds, so it loads nothing but Node's own HTTP client.
 */
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { printable } from '../../domain/printable.js';
import { CliFailure, UsageError } from '../failure.js';
import { serverUrl } from '../server-url.js';

const TIMEOUT_MS = 2_000;

/** Parsed here, because the parser of the other commands is not loaded. */
export const HELP = `Usage: messaging-sandbox readyz [options]

Exit with 0 if the sandbox is ready, with 1 if it is not or does not respond within 2 s.

Options:
  --url <URL>  URL of the sandbox (MESSAGING_BASE_URL; otherwise the port and host in SANDBOX_PORT, PORT and SANDBOX_HOST;
               default: http://127.0.0.1:4242)
  --json       print the response as JSON
  -h, --help   show this help
`;

interface Flags {
  readonly url?: string;
  readonly json: boolean;
  readonly help: boolean;
}

/** Runs the command with the arguments after its name. @throws CliFailure */
export async function readyz(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const flags = readFlags(args);
  if (flags.help) {
    process.stdout.write(HELP);
    return;
  }
  const url = serverUrl(flags.url, env);
  const { status, text } = await ask(url);
  const ready = status === 200;
  if (flags.json) process.stdout.write(`${printable(JSON.stringify({ ready, url, status, answer: text }))}\n`);
  else if (ready) process.stdout.write(`${url} is ready\n`);
  if (!ready) throw new CliFailure(1, `${url} is not ready: it responded with ${status} "${text}".`);
}

function readFlags(args: readonly string[]): Flags {
  let url: string | undefined;
  let json = false;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (arg === '-h' || arg === '--help') return { json, help: true };
    if (arg === '--json') json = true;
    else if (arg.startsWith('--url=')) url = arg.slice('--url='.length);
    else if (arg === '--url' && args[index + 1] !== undefined) url = args[(index += 1)];
    else throw new UsageError(`readyz: "${arg}" is not a known argument. Allowed: --url URL, --json, --help.`);
  }
  return { json, help: false, ...(url === undefined ? {} : { url }) };
}

function ask(url: string): Promise<{ status: number; text: string }> {
  return new Promise((answered, failed) => {
    const get = url.startsWith('https:') ? getHttps : getHttp;
    const fail = (error: Error): void => {
      const reason =
        error.name === 'AbortError' || error.name === 'TimeoutError' ? 'no response within 2 s' : reasonOf(error);
      failed(new CliFailure(1, `${url} is not ready: ${reason}.`, { cause: error }));
    };
    const request = get(`${url}/readyz`, { agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text = (text + chunk).slice(0, 200);
      });
      response.on('end', () => answered({ status: response.statusCode ?? 0, text: text.trim() }));
      response.on('error', fail);
    });
    request.on('error', fail);
  });
}

function reasonOf(error: Error): string {
  return 'code' in error && error.code === 'ECONNREFUSED' ? 'nothing listens there' : error.message;
}
