import { expect } from 'vitest';
import { SECRET, startReceiver, type Conduct } from '../certify/receiver.js';
import { checks } from '../../src/certify/checks.js';
import { closing } from '../support/closing.js';
import { newWorld, type Control } from '../support/client.js';
import { freePort } from '../support/receivers.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

const { sandbox, it } = useSandbox({ clock: frozen });

/** Certifies an endpoint in a new account. */
async function certified(conduct: Conduct) {
  const receiver = closing(await startReceiver(conduct));
  const world = newWorld(sandbox);
  const wanted = { url: receiver.url.replace('http:', 'https:'), events: ['message.received'], secret: SECRET };
  const { id } = await world.post<Control['Endpoint']>('/_sandbox/webhooks', wanted);
  const report = await world.post<Control['Certification']>(`/_sandbox/webhooks/${id}/certify`);
  return { report, world, visits: receiver.visits.length };
}

it('plays every check at an endpoint with its own secret, and leaves no record', async () => {
  const { report, world, visits } = await certified({});
  expect(report).toMatchObject({ certified: true, unreachable: null, notes: [] });
  expect(report.checks.map(({ id }) => id)).toStrictEqual(checks.map(({ id }) => id));
  expect(report.required.passed).toBe(report.required.total);
  expect(visits).toBeGreaterThan(checks.length);
  expect(await world.items('/_sandbox/events')).toHaveLength(0);
  expect(await world.deliveries()).toHaveLength(0);
});

it('reports a receiver that is not there, and refuses a sink and an unknown endpoint', async ({ world }) => {
  const gone = await world.register(`https://127.0.0.1:${await freePort()}/hook`);
  expect(await world.post(`/_sandbox/webhooks/${gone.webhook_id}/certify`)).toMatchObject({
    certified: false,
    checks: [],
    unreachable: expect.stringContaining('refused') as string,
  });
  const sink = await world.register('https://sink.sandbox/app');
  const { status, body } = await world.call('POST', `/_sandbox/webhooks/${sink.webhook_id}/certify`);
  expect([status, body.error.message]).toStrictEqual([400, expect.stringContaining('is a sink of the sandbox')]);
  expect((await world.call('POST', '/_sandbox/webhooks/none/certify')).status).toBe(404);
});

it('certifies an endpoint once at a time', async ({ world }) => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let arrived: () => void = () => undefined;
  const first = new Promise<void>((resolve) => (arrived = resolve));
  const before: Conduct['before'] = ({ response }) => {
    arrived();
    void held.then(() => response.writeHead(204).end());
    return true;
  };
  const receiver = closing(await startReceiver({ before }));
  const { webhook_id: id } = await world.register(receiver.url.replace('http:', 'https:'));
  const certify = () => world.call('POST', `/_sandbox/webhooks/${id}/certify`);
  const running = certify();
  await first;
  expect(await certify()).toMatchObject({ status: 409, body: { error: { code: 'certification_running' } } });
  release();
  expect((await running).status).toBe(200);
  expect((await certify()).status).toBe(200);
});
