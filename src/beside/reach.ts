import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { createServer } from 'node:net';
import { machineTime, pause } from '../time/system-clock.js';
import { ApplicationError, type Running } from './spawn.js';

const lookAgainMs = 100;
/** Machine milliseconds. */
const lookMs = 5_000;

export interface WaitParts {
  readonly url: string;
  /** Default: below 500. */
  readonly counts?: (status: number) => boolean;
  /** Machine milliseconds. */
  readonly timeoutMs: number;
  readonly application?: Running | null;
  readonly signal: AbortSignal;
}

/** @throws ApplicationError if the URL does not respond in time, or the application exits first */
export async function waitForUrl({
  url,
  counts = (status) => status < 500,
  timeoutMs,
  application = null,
  signal,
}: WaitParts): Promise<void> {
  const deadlineMs = machineTime.monotonic() + timeoutMs;
  const end: { exitCode?: number } = {};
  void application?.ended.then((exitCode) => Object.assign(end, { exitCode }));
  for (;;) {
    const found = await look(url, counts);
    if (signal.aborted || found === null) return;
    if (end.exitCode !== undefined) {
      throw new ApplicationError(`The application ended with ${end.exitCode} before ${url} responded.`);
    }
    if (machineTime.monotonic() >= deadlineMs) {
      throw new ApplicationError(
        `${url} did not respond within ${timeoutMs / 1000} s: ${found}. Check the address, and whether the application is starting.`,
      );
    }
    await pause(lookAgainMs);
  }
}

const isTls = (code = ''): boolean => code === 'EPROTO' || code.startsWith('ERR_SSL');

/** Null once the URL responds. The certificate of a local server is not checked. */
function look(url: string, counts: (status: number) => boolean): Promise<string | null> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const call = request(url, { agent: false, timeout: lookMs, rejectUnauthorized: false }, (response) => {
      const { statusCode = 500 } = response;
      response.destroy();
      resolve(counts(statusCode) ? null : `it responded with ${statusCode}`);
    });
    call.once('timeout', () => call.destroy(new Error('no response')));
    // The server may use plain HTTP: deliveries to its https:// URL reach it too.
    call.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      resolve(isTls(code) ? null : code === 'ECONNREFUSED' ? 'nothing listens there' : message),
    );
    call.end();
  });
}

/** Ports that systems do not hand out on their own: those begin at 32768 on Linux, at 49152 elsewhere. */
const ports = { first: 20_000, count: 12_000 };
let next = process.pid * 101;

/** No other program gets this port by chance before the application listens. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < ports.count; tries += 1) {
    const port = ports.first + (next++ % ports.count);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${ports.first} to ${ports.first + ports.count - 1} is free.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
