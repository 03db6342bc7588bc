/** The user who plays the http steps of a story: when a call is repeated. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { ApplicationUser, sendsAway } from '../../src/stage/application-user.js';

let server: Server | undefined;
afterEach(() => void server?.close());

/** Calls an application that responds with these statuses and a Retry-After. */
async function calling(statuses: readonly number[], retryAfter: string) {
  const waits: number[] = [];
  let [calls, comebacks] = [0, 0];
  const own = createServer((_request, response) => {
    const status = statuses[calls] ?? 200;
    calls += 1;
    response.writeHead(status, status === 200 ? {} : { 'Retry-After': retryAfter }).end();
  });
  server = own;
  await new Promise<void>((resolve) => void own.listen(0, '127.0.0.1', resolve));
  const user = new ApplicationUser({
    program: {
      origin: `http://127.0.0.1:${(own.address() as AddressInfo).port}`,
      onComeback: () => (comebacks += 1),
    },
    codeOf: () => null,
    nowMs: () => 0,
    wait: (ms) => Promise.resolve(void waits.push(ms)),
  });
  const response = await user.call({ url: '/login', method: 'POST' });
  return { status: response.status, waits, calls, comebacks, isSentAway: sendsAway(response) };
}

it.each([
  ['waits as long as the application asks', [503, 429], '7', { status: 200, waits: [7000, 7000], isSentAway: false }],
  ['waits a second if no time is given', [409], '', { status: 200, waits: [1000], isSentAway: false }],
  ['comes four times', [503, 503, 503, 503], '1', { status: 503, calls: 4, comebacks: 3, isSentAway: false }],
  ['does not come back early', [503], '60', { status: 503, waits: [], calls: 1, isSentAway: true }],
  ['comes back if a call behind it failed', [502, 504], '', { status: 200, waits: [1000, 1000], isSentAway: false }],
  ['repeats no other failure', [500], '1', { status: 500, waits: [], calls: 1, isSentAway: false }],
])('%s', async (_, statuses, retryAfter, wanted) => {
  expect(await calling(statuses, retryAfter)).toMatchObject(wanted);
});
