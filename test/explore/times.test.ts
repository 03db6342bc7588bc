/** Times of a story count from where rules count theirs, whatever time its clock is set to. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSandbox } from '../../src/client/create-sandbox.js';
import type { SandboxClient } from '../../src/client/client.js';
import { readFacts } from '../../src/explore/facts/facts.js';
import { ruleOf } from '../../src/explore/faults/placed.js';
import { pointsOf } from '../../src/explore/faults/points.js';
import { compileRules } from '../../src/rules/rules.js';
import { at, fault, request, run, to } from './runs.js';

let sandbox: SandboxClient;
beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'frozen', logLevel: 'error' });
});
afterAll(() => sandbox.close());

it.each(['2020-03-01T08:00:00Z', '2040-03-01T08:00:00Z'])('counts from the activation, at %s', async (clock) => {
  const account = sandbox.account(`at-${clock.slice(0, 4)}`);
  const createdAt = await account.clock.now();
  const customers = [{ phone: to, window: 'open' }];
  await account.call('PUT', '/_sandbox/scenario', { version: 1, clock, given: { customers } });
  await account.clock.advance('1m');
  await account.call('POST', '/v1/messages', { to, type: 'text', text: 'Hello' });
  const facts = await readFacts(account, createdAt);
  const calls = facts.requests.map((one) => ({ ...one, request: { ...one.request, headers: {} } }));
  const [point] = pointsOf([{ facts, accounts: [{ ...facts, requests: calls }] }]);
  expect(point).toMatchObject({ kind: 'message.send', atMs: 60_000 });
});

it('has an outage from a time on, since an application polls more or less often before it', () => {
  const poll = request({ operation: 'listTemplates', method: 'GET', path: '/v1/templates', at: at(1) });
  const calls = [
    poll,
    request({ seq: 2, at: at(60) }),
    request({ seq: 3, at: at(60) }),
    request({ seq: 4, at: at(90) }),
  ];
  const sends = run({ requests: calls });
  const outages = pointsOf([sends, sends]).filter(({ kind }) => kind === 'service');
  expect(outages).toMatchObject([
    { id: 'service', sinceMs: 60_000, affected: ['message.send'] },
    { id: 'service:2', affected: ['message.send'] },
  ]);
  const rules = outages.map((point) => ruleOf(fault('outage', point)));
  expect(rules).toMatchObject([
    { active: { after: '+60s', before: '+660s' } },
    // Only its number tells the second send from the first one.
    { pick: { calls: '3..' }, active: { before: '+660s' } },
  ]);
  expect(rules[0]).not.toHaveProperty('pick');
});

it('sends an event of an unknown type to an endpoint for whichever types it is', () => {
  const create = (events: string[]) =>
    request({ operation: 'createWebhook', path: '/v1/webhooks', request: { headers: {}, body: { events } } });
  const typeFor = (...events: string[]) => {
    const usual = run({ requests: [create(events)] });
    const [point] = pointsOf([usual]);
    return point && fault('unknown-event', point).fault.emit;
  };
  const webhook = { body: 'unknown_type' };
  expect(typeFor('otp.verified', 'template.status')).toEqual({ type: 'otp.verified', webhook });
  expect(typeFor()).toEqual({ type: 'message.status', webhook });
});

it('has an outage for a test that sets its clock to before its account began', () => {
  const rule = ruleOf(fault('outage', { kind: 'service', atMs: -5_000_000 }));
  expect(rule).toMatchObject({ pick: { calls: '1..4' } });
  expect(() => compileRules([{ ...rule, source: { file: '', line: 0 } } as never])).not.toThrow();
});
