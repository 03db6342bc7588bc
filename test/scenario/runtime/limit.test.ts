import { describe, expect, it } from 'vitest';
import type { Hook } from '../../../src/scenario/language/hooks.js';
import type { Answer, Refusal, World } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { frozen, latestCall, ruleOf, stage, trySend } from '../../support/scenes.js';

const [ada, bob] = ['+12025550110', '+12025550111'];

interface Batch {
  readonly failed_count: number;
  readonly results: readonly {
    readonly ok: boolean;
    readonly error?: { readonly code: string; readonly message: string };
  }[];
}

const { sandbox } = useSandbox({ clock: frozen });

const unknownId = '8a1e9f6e-7d5c-4b1e-9d59-0f6b62a4c001';
const calls: readonly (readonly [Hook, (world: World) => Promise<Answer<Refusal>>])[] = [
  ['api.any', (world) => world.call('GET', `/v1/messages/${unknownId}`)],
  ['message.send', (world) => trySend(world, ada)],
  ['otp.send', (world) => world.call('POST', '/v1/otp/send', { to: ada })],
  [
    'template.create',
    (world) => world.call('POST', '/v1/templates', { name: 'a', category: 'utility', language: 'en', body: 'Hi' }),
  ],
  [
    'webhook.create',
    (world) => world.call('POST', '/v1/webhooks', { url: 'https://sink.sandbox/b', events: ['message.status'] }),
  ],
];

it.each(calls)('%s: refused above the rate, and let through again after the wait it names', async (hook, call) => {
  const world = await stage(sandbox, [{ id: 'slow', when: hook, then: { limit: { rate: '1/10s', burst: 1 } } }]);
  const first = await call(world);
  expect(first.status).not.toBe(429);
  const refused = await call(world);
  expect([refused.status, refused.body.error.code, ruleOf(refused)]).toEqual([429, 'rate_limited', 'slow']);
  expect(refused.headers.get('retry-after')).toBe('10');
  expect(await latestCall(world)).toMatchObject({ error: 'rate_limited', fault: 'limit', explain: { id: 'slow' } });
  await world.advance('9999ms');
  const early = await call(world);
  expect([early.status, early.headers.get('retry-after')]).toEqual([429, '1']);
  await world.advance('1ms');
  const after = await call(world);
  expect(after.status).not.toBe(429);
  expect(ruleOf(after)).toBeNull();
});

describe('the bucket', () => {
  it('holds the burst, gives back one at a time in account time, and never more than it holds', async () => {
    const world = await stage(sandbox, [{ when: 'message.send', then: { limit: { rate: '10/s', burst: 3 } } }]);
    const statuses = async (count: number) => {
      const answers: number[] = [];
      for (let i = 0; i < count; i += 1) answers.push((await trySend(world, ada)).status);
      return answers;
    };
    expect(await statuses(4)).toEqual([200, 200, 200, 429]);
    await world.advance('100ms');
    expect(await statuses(2)).toEqual([200, 429]);
    await world.advance('1h');
    expect(await statuses(4)).toEqual([200, 200, 200, 429]);
    expect(await world.items('/_sandbox/messages?limit=100')).toHaveLength(7);
  });

  it('per recipient: everybody has one of their own', async () => {
    const world = await stage(sandbox, [
      { when: 'message.send', per: 'recipient', then: { limit: { rate: '1/m', burst: 1 } } },
    ]);
    const statuses: number[] = [];
    for (const to of [ada, bob, ada, bob]) statuses.push((await trySend(world, to)).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
  });

  it('a batch is one call', async () => {
    const world = await stage(sandbox, [{ when: 'message.send', then: { limit: { rate: '1/m' } } }]);
    expect((await trySend(world, [ada, bob])).status).toBe(200);
    expect((await trySend(world, [ada, bob])).status).toBe(429);
  });

  it('per recipient in a batch: each entry is charged to its own recipient, and refused alone', async () => {
    const world = await stage(sandbox, [
      { id: 'each', when: 'message.send', per: 'recipient', then: { limit: { rate: '1/m', burst: 1 } } },
    ]);
    expect((await trySend(world, bob)).status).toBe(200);
    const answer = await trySend<Batch>(world, [ada, bob, ada]);
    expect([answer.status, ruleOf(answer), answer.body.failed_count]).toEqual([200, 'each', 2]);
    expect(answer.body.results.map(({ ok, error }) => [ok, error?.code])).toEqual([
      [true, undefined],
      [false, 'rate_limited'],
      [false, 'rate_limited'],
    ]);
    expect(answer.body.results[1]?.error?.message).toContain('60000 ms');
    expect(await world.items(`/_sandbox/messages?to=${encodeURIComponent(ada)}`)).toHaveLength(1);
    await world.advance('1m');
    const later = await trySend<Batch>(world, [ada, bob]);
    expect([later.body.failed_count, ruleOf(later)]).toEqual([0, null]);
  });

  it('takes from every bucket that a batch concerns, one token for the call', async () => {
    const world = await stage(sandbox, [
      { id: 'to-ada', when: 'message.send', match: { to: ada }, then: { limit: { rate: '1/m' } } },
      { id: 'rest', when: 'message.send', then: { limit: { rate: '2/m' } } },
    ]);
    expect((await trySend(world, [bob, bob, ada])).status).toBe(200);
    expect((await trySend(world, [bob, bob])).status).toBe(200);
    expect(ruleOf(await trySend(world, bob))).toBe('rest');
    expect(ruleOf(await trySend(world, ada))).toBe('to-ada');
  });

  it('names whoever shaped an answer, not the limit that let it through', async () => {
    const world = await stage(sandbox, [
      { id: 'slow', when: 'message.send', then: { limit: { rate: '1/m' } } },
      { id: 'blocked', when: 'message.send', then: { lifecycle: 'blocked' } },
    ]);
    expect(ruleOf(await trySend(world, ada))).toBe('blocked');
    expect(ruleOf(await trySend(world, ada))).toBe('slow');
  });
});
