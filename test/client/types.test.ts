/** What compiles and what does not: `tsc` fails if an expected error is missing. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSandbox, type Sandbox, type Scenario, type SentBody, type Verdict } from '../../src/index.js';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'frozen', logLevel: 'silent' });
});
afterAll(() => sandbox.close());

/** Never called: only its types matter. */
async function misspelt(own: Sandbox): Promise<void> {
  // @ts-expect-error a misspelt key of a rule
  await own.rules.add({ when: 'message.send', than: { respond: { status: 503 } }, then: {} });
  // @ts-expect-error a misspelt key of an action
  await own.rules.add({ when: 'message.send', then: { respond: { stauts: 503 } } });
  // @ts-expect-error a misspelt field of match
  await own.rules.add({ when: 'message.send', match: { phone: '+1*' }, then: {} });
  // @ts-expect-error a status that does not exist
  await own.rules.add({ when: 'message.send', then: { lifecycle: [{ deliverd: '1s' }] } });
  // @ts-expect-error a misspelt section of a scenario
  await own.scenario.use({ version: 1, rule: [] });
  // @ts-expect-error a version that does not exist
  await own.scenario.use({ version: 2 });
  // @ts-expect-error a misspelt key of what is given
  await own.scenario.use({ version: 1, given: { customers: [{ phone: '+12025550150', windw: 'open' }] } });
  // @ts-expect-error an expectation about what does not exist
  await own.scenario.use({ version: 1, expect: [{ at: 'finish', that: 'calls', count: 1 }] });
  const field = (name: keyof SentBody<'sendMessage'>): string => name;
  // @ts-expect-error a misspelt field of a body
  field('too');
}

it('knows the language of scenarios, and what was sent and found', async () => {
  const scenario: Scenario = {
    version: 1,
    name: 'typed',
    given: { customers: [{ phone: '+12025550150', window: 'open' }] },
    rules: [{ when: 'message.send', match: { to: { any: ['+1*', ['+44*']] } }, then: { lifecycle: 'happy' } }],
    timeline: [{ at: '+5m', inbound: { from: '+12025550150', text: 'Hello?' } }],
    expect: [{ at: 'finish', that: 'messages', where: { direction: 'outbound' }, min: 1 }],
  };
  await sandbox.scenario.use(scenario);
  await sandbox.call('POST', '/v1/messages', { to: '+12025550150', type: 'text', text: 'Hi' });
  const [request] = await sandbox.requests({ operation: 'sendMessage' });
  const to: string | string[] | undefined = request?.request.body.to;
  const verdict: Verdict = await sandbox.scenario.verdict();
  const found: string | undefined = verdict.checks[0]?.found;
  expect([to, found]).toEqual(['+12025550150', '1 found']);
  expect(misspelt).toBeTypeOf('function');
});

it('removes webhooks and accounts, delivers an event again, lists customers, and opens a window for a while', async () => {
  const own = sandbox.account('methods');
  const { webhook_id: id } = await own.webhooks.register('https://sink.sandbox/app', ['message.received']);
  const { event_id: eventId } = await own.customer('+12025550150').says('Hello');
  expect((await own.redeliver(eventId, { webhookId: id })).deliveries).toMatchObject([{ webhook_id: id }]);
  await own.idle();
  expect((await own.sink('app').received()).length).toBe(2);
  const now = Date.parse(await own.clock.now());
  const { window } = await own.customer('+12025550113').window.open('1h');
  expect(window).toEqual({ open: true, closes_at: new Date(now + 3_600_000).toISOString() });
  expect((await own.customers()).map(({ phone }) => phone)).toEqual(['+12025550150', '+12025550113']);
  await own.webhooks.remove(id);
  expect(await own.webhooks.list()).toEqual([]);
  await own.remove();
  expect(await own.customers()).toEqual([]);
});
