/** The cause of each error in the examples of the control plane's document. */
import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../src/domain/errors.js';
import type { Job } from '../../src/domain/job.js';
import { LoopDetector } from '../../src/time/loop-detector.js';
import { World, type Refusal } from '../support/client.js';
import { startReceiver } from '../support/receivers.js';
import { fullDisk, inWorld, type Cause } from './api-errors.js';

const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Cause =>
  inWorld((world) => world.call(method, path, body, headers));

/** Runs `meanwhile` while a receiver has a request and does not respond; it responds afterwards. */
export async function whileHeld<T>(
  world: World,
  meanwhile: (endpoint: string) => Promise<T>,
  ask: (endpoint: string) => Promise<unknown> = () => world.text(),
): Promise<T> {
  const held: (() => void)[] = [];
  let over = false;
  const receiver = await startReceiver((response) => {
    if (over) response.end();
    else held.push(() => response.end());
  });
  try {
    const { webhook_id: endpoint } = await world.register(receiver.url());
    const asked = receiver.nextRequest();
    void ask(endpoint).catch(() => undefined);
    await asked;
    return await meanwhile(endpoint);
  } finally {
    over = true;
    for (const release of held) release();
    await world.idle();
    await receiver.close();
  }
}

/** Asked with no patience at all, shown with some. */
const afterSeconds =
  (seconds: number, cause: Cause): Cause =>
  async () =>
    JSON.parse(JSON.stringify(await cause()).replace(/ 0 ms\b/, ` ${seconds * 1000} ms`)) as Refusal;

/** Too long to be played here, so the message is created directly. */
function loop(): Promise<Refusal> {
  const causes = new LoopDetector();
  let last: Job | null = null;
  for (let number = 0; number <= 10_001; number += 1) {
    const kind = number % 2 === 0 ? 'message.status' : 'delivery.attempt';
    const job: Job = { id: `${number}`, seq: number, kind, subject: randomUUID(), dueMs: 0 };
    causes.note(job, last);
    last = job;
  }
  try {
    causes.refuseLoop(last!);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return Promise.resolve({ error: { code: error.code, message: error.message, ...error.extra } });
  }
  throw new Error('No loop was told of.');
}

const typo = `version: 1
name: mine
rules:
  - when: message.sent
    then: { lifecycle: blocked }
`;

export const controlErrors: Readonly<Record<string, Cause>> = {
  BadRequest: call('GET', '/_sandbox/messages?limit=5000'),
  MethodNotAllowed: call('POST', '/livez', {}),
  Unauthorized: inWorld((world) => world.call('GET', '/_sandbox/clock'), { controlToken: 'open-sesame' }),
  Forbidden: call('POST', '/_sandbox/reset', {}, { origin: 'https://evil.example' }),
  NotFound: call('GET', '/_sandbox/messages/nope'),
  WaitTimeout: afterSeconds(
    5,
    inWorld(async (world) => {
      await world.register('https://sink.sandbox/app');
      await world.put('/_sandbox/sink/app', { respond: [{ status: 503 }] });
      await world.text();
      await world.idle();
      return world.call('GET', '/_sandbox/wait?for=delivery&state=delivered&timeout=0s');
    }),
  ),
  IdleTimeout: afterSeconds(
    10,
    inWorld((world) => whileHeld(world, () => world.call('POST', '/_sandbox/idle?timeout=0s'))),
  ),
  WaitInterrupted: inWorld(async (world) => {
    const waiting = world.call('GET', '/_sandbox/wait?for=event');
    // Called after the wait has begun: calls of one client to one server keep their order.
    await world.clock();
    await world.delete('/_sandbox/accounts/shop');
    return waiting;
  }),
  IllegalTransition: inWorld(async (world) => {
    const id = await world.text();
    await world.advance('1s');
    return world.call('POST', `/_sandbox/messages/${id}/status`, { status: 'sent' });
  }),
  RestoreInterrupted: inWorld((world) =>
    whileHeld(world, async () => {
      await world.post('/_sandbox/snapshots', { name: 'before' });
      void world.advance('1s');
      return world.call('POST', '/_sandbox/snapshots/before/restore');
    }),
  ),
  CertificationRunning: inWorld((world) => {
    const certify = (endpoint: string) => world.call('POST', `/_sandbox/webhooks/${endpoint}/certify`);
    return whileHeld(world, certify, certify);
  }),
  ClockConflict: loop,
  NameTaken: inWorld(async (world) => {
    await world.post('/_sandbox/snapshots', { name: 'after-onboarding' });
    return world.call('POST', '/_sandbox/snapshots', { name: 'after-onboarding' });
  }),
  PayloadTooLarge: call('POST', '/_sandbox/reset', ' '.repeat(1_048_577)),
  UnsupportedMediaType: call('POST', '/_sandbox/reset', 'keep=clock', { 'content-type': 'text/plain' }),
  LimitReached: inWorld(async (world) => {
    for (let key = 0; key < 1_000; key += 1)
      await new World(world.url, `key-${key}`).put('/_sandbox/clock', { mode: 'frozen' });
    return new World(world.url, 'one-more').call('PUT', '/_sandbox/clock', { mode: 'frozen' });
  }),
  StoreUnavailable: fullDisk('POST', '/_sandbox/inbound', { from: '+12025550101', text: 'Hello', profile_name: 'Ada' }),
  ScenarioInvalid: call('POST', '/_sandbox/scenarios/check?file=mine.yaml', typo, {
    'content-type': 'application/yaml',
  }),
};
