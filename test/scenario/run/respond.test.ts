import { describe, expect, it } from 'vitest';
import type { Hook } from '../../../src/language/hooks.js';
import type { RespondSlot } from '../../../src/language/respond.js';
import { newWorld, type Answer, type Refusal, type World } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { frozen, latestCall, play, ruleOf, stage, trySend } from '../../support/scenes.js';

const to = '+12025550110';

const { sandbox } = useSandbox({ clock: frozen });

interface Known {
  readonly messageId: string;
  readonly otpId: string;
  readonly templateId: string;
}
type Call = (world: World, known: Known) => Promise<Answer<Refusal>>;

/** A call at each hook where an answer can be scripted; without a rule each is answered 200. */
const calls: Readonly<Partial<Record<Hook, Call>>> = {
  'api.any': (world) => world.call('GET', '/v1/webhooks'),
  'message.send': (world) => trySend(world, to),
  'message.get': (world, { messageId }) => world.call('GET', `/v1/messages/${messageId}`),
  'otp.send': (world) => world.call('POST', '/v1/otp/send', { to }),
  'otp.verify': (world, { otpId }) => world.call('POST', '/v1/otp/verify', { otp_id: otpId, code: 'none' }),
  'template.create': (world) =>
    world.call('POST', '/v1/templates', { name: 'second', category: 'utility', language: 'en', body: 'Hi' }),
  'template.get': (world, { templateId }) => world.call('GET', `/v1/templates/${templateId}`),
  'webhook.create': (world) =>
    world.call('POST', '/v1/webhooks', { url: 'https://sink.sandbox/second', events: ['message.status'] }),
};
const hooks = Object.entries(calls) as [Hook, Call][];

async function prepared(hook: Hook, respond: RespondSlot, pick?: { calls: number }): Promise<[World, Known]> {
  const world = await stage(sandbox);
  const { message_id: messageId } = await world.send(to, 'order_shipped');
  const { otp_id: otpId } = await world.post<{ otp_id: string }>('/v1/otp/send', { to });
  const templateId = await world.template('first');
  await world.idle();
  await play(world, { rules: [{ id: 'strike', when: hook, ...(pick && { pick }), then: { respond } }] });
  return [world, { messageId, otpId, templateId }];
}

const lists = ['messages', 'otps', 'templates', 'webhooks', 'events'] as const;
/** What each operation makes; the others make nothing. */
const made: Readonly<Partial<Record<Hook, readonly (typeof lists)[number][]>>> = {
  'message.send': ['messages', 'events'],
  'otp.send': ['otps'],
  'template.create': ['templates'],
  'webhook.create': ['webhooks'],
};

/** Everything the account holds, journal and rules aside. */
function holdings(world: World): Promise<unknown[][]> {
  return Promise.all(lists.map((list) => world.items(`/_sandbox/${list}`)));
}

describe.each(hooks)('a scripted answer at %s', (hook, call) => {
  it('stands for the operation, which does not happen; then the call goes through', async () => {
    const respond = {
      status: 503,
      code: 'unavailable',
      message: 'Not now.',
      headers: { 'X-Trace': 'abc' },
      retry_after: '1500ms',
    };
    const [world, known] = await prepared(hook, respond, { calls: 1 });
    const before = await holdings(world);
    const answer = await call(world, known);
    expect([answer.status, answer.body]).toEqual([503, { error: { code: 'unavailable', message: 'Not now.' } }]);
    expect(answer.headers.get('x-trace')).toBe('abc');
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(ruleOf(answer)).toBe('strike');
    expect(await holdings(world)).toEqual(before);
    expect(await latestCall(world)).toMatchObject({
      id: answer.headers.get('x-sandbox-request'),
      status: 503,
      error: 'unavailable',
      fault: 'respond',
      explain: { by: 'rule', id: 'strike' },
    });

    const second = await call(world, known);
    expect(second.status).toBe(200);
    expect(ruleOf(second)).toBeNull();
    expect(await latestCall(world)).not.toHaveProperty('fault');
  });

  it('with accept: true changes the answer alone', async () => {
    const [world, known] = await prepared(hook, { status: 500, accept: true, code: 'internal_error' });
    const before = (await holdings(world)).map((list) => list.length);
    const answer = await call(world, known);
    expect([answer.status, answer.body.error.code, ruleOf(answer)]).toEqual([500, 'internal_error', 'strike']);
    expect(await latestCall(world)).toMatchObject({ status: 500, error: 'internal_error' });
    const grown = (await holdings(world)).map((list, i) => list.length - (before[i] ?? 0));
    expect(lists.filter((_, i) => (grown[i] ?? 0) > 0)).toEqual(made[hook] ?? []);
  });
});

const unknownId = '8a1e9f6e-7d5c-4b1e-9d59-0f6b62a4c001';

describe.each([
  ['message.get', 404, (world) => world.call('GET', `/v1/messages/${unknownId}`)],
  ['template.get', 404, (world) => world.call('GET', `/v1/templates/${unknownId}`)],
  ['otp.verify', 404, (world) => world.call('POST', '/v1/otp/verify', { otp_id: unknownId, code: '123456' })],
  ['otp.send', 400, (world) => world.call('POST', '/v1/otp/send', { to })],
] as [Hook, number, (world: World) => Promise<Answer<Refusal>>][])(
  'at %s, for what the account does not have',
  (hook, otherwise, call) => {
    it.each([
      ['no condition', undefined, 503],
      ['a condition that it cannot meet', { template: '*' }, otherwise],
      ['the opposite of that', { not: { template: '*' } }, 503],
    ])('a rule with %s', async (_kind, match, status) => {
      // Names of templates go by another word where the template itself is asked for.
      const of = JSON.parse(
        JSON.stringify(match ?? {}).replace('template', hook === 'template.get' ? 'name' : 'template'),
      ) as object;
      const world = newWorld(sandbox);
      await play(world, { rules: [{ id: 'strike', when: hook, match: of, then: { respond: { status: 503 } } }] });
      const answer = await call(world);
      expect([answer.status, ruleOf(answer)]).toEqual([status, status === 503 ? 'strike' : null]);
    });
  },
);

describe('what an answer may hold', () => {
  const answerTo = async (respond: RespondSlot) => {
    const world = await stage(sandbox, [{ id: 'strike', when: 'message.send', then: { respond } }]);
    return { world, answer: await trySend(world, to) };
  };

  it('a text under a Content-Type of its own, such as the page of a proxy, as it stands', async () => {
    const respond = { status: 502, body: '<h1>Bad Gateway</h1>', headers: { 'content-type': 'text/html' } };
    const world = await stage(sandbox, [{ when: 'api.any', then: { respond } }]);
    const answer = await fetch(`${sandbox.url}/v1/webhooks`, { headers: { Authorization: `Bearer ${world.key}` } });
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-length')]).toEqual([
      502,
      'text/html',
      '20',
    ]);
    expect(await answer.text()).toBe('<h1>Bad Gateway</h1>');
  });

  it.each([
    [{ status: 401 }, 'www-authenticate', 'Bearer'],
    [{ status: 429 }, 'retry-after', '1'],
    [{ status: 405 }, 'allow', ''],
    [{ status: 405, headers: { allow: 'GET' } }, 'allow', 'GET'],
    [{ code: 'rate_limited', retry_after: '7s' }, 'retry-after', '7'],
    [{ status: 429, retry_after: '7s', headers: { 'retry-after': '9' } }, 'retry-after', '9'],
    [{ code: 'otp_max_attempts' }, 'retry-after', null],
  ] as const)('%j has the headers of its code, and those of the rule once: %s %s', async (respond, name, value) => {
    const { answer } = await answerTo(respond);
    expect(answer.headers.get(name)).toBe(value);
  });

  it.each([
    ['GET', '/v1/webhooks', 'POST'],
    ['HEAD', '/v1/webhooks', 'POST'],
    ['POST', '/v1/webhooks', 'GET'],
    ['GET', '/v1/messages/none', ''],
  ])('%s %s answered 405 allows what else the path knows: "%s"', async (method, path, allowed) => {
    const world = await stage(sandbox, [{ when: 'api.any', then: { respond: { status: 405 } } }]);
    const answer = await fetch(sandbox.url + path, { method, headers: { Authorization: `Bearer ${world.key}` } });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed]);
  });

  it.each([204, 304])('nothing behind a status that has no body: %i', async (status) => {
    const { answer } = await answerTo({ status, body: { a: 1 } });
    expect([answer.status, answer.headers.get('content-length'), answer.headers.get('content-type')]).toEqual([
      status,
      null,
      null,
    ]);
  });
});
