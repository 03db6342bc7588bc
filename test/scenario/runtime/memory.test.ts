/** Rules that remember: who is picked for good, what a customer said, what was sent to them, which rule they met. */
import { describe, expect } from 'vitest';
import type { CustomerMatcher } from '../../../src/scenario/language/match.js';
import type { Rule } from '../../../src/scenario/language/rules.js';
import { loadScenario } from '../../../src/scenario/reader/load.js';
import { useSandbox } from '../../support/sandbox.js';
import { frozen, latestCall, ruleOf, stage, trySend } from '../../support/scenes.js';

const [ada, bob] = ['+12025550110', '+12025550111'];
const everybody = Array.from({ length: 40 }, (_, n) => `+14155552${String(n).padStart(3, '0')}`);

const { sandbox, it } = useSandbox({ clock: frozen });

const fails = (id: string, more: Partial<Rule>): Rule => ({
  id,
  when: 'message.send',
  then: { respond: { status: 503 } },
  ...more,
});

describe('a share of the customers', () => {
  async function struck(rules: Rule[], to = everybody, rounds = 1): Promise<string[]> {
    const world = await stage(sandbox, rules);
    const found = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      for (const one of to) if ((await trySend(world, one)).status === 503) found.add(one);
    }
    return [...found].sort();
  }

  it('is the same for every call, in every order and for every rule', async () => {
    const once = await struck([fails('a', { pick: { share: '50%' } })]);
    expect(once.length).toBeGreaterThan(10);
    expect(once.length).toBeLessThan(30);
    expect(await struck([fails('b', { pick: { share: '50%' } })], everybody.toReversed(), 2)).toEqual(once);
  });

  it('grows with its size, and another group is another choice', async () => {
    const half = await struck([fails('a', { pick: { share: '50%' } })]);
    const few = await struck([fails('a', { pick: { share: '20%' } })]);
    expect(half).toEqual(expect.arrayContaining(few));
    expect(few.length).toBeLessThan(half.length);
    expect(await struck([fails('a', { pick: { share: '50%', group: 'other' } })])).not.toEqual(half);
  });

  it('is what chance means by recipient; by call it is drawn anew', async () => {
    const half = await struck([fails('a', { pick: { share: '50%' } })]);
    expect(await struck([fails('a', { pick: { chance: '50%' }, per: 'recipient' })], everybody, 2)).toEqual(half);
    expect((await struck([fails('a', { pick: { chance: '50%' } })], everybody, 2)).length).toBeGreaterThan(half.length);
  });

  it('counts within, together with the other conditions', async () => {
    const world = await stage(sandbox, [fails('a', { pick: { share: '100%', nth: 2 }, per: 'recipient' })]);
    const statuses = [];
    for (const to of [ada, ada, bob, ada]) statuses.push((await trySend(world, to)).status);
    expect(statuses).toEqual([200, 503, 200, 200]);
    await trySend(world, bob);
    expect((await latestCall(world)).explain?.text).toMatch(/picked by share 100%/);
  });
});

describe('what a customer has done before', () => {
  const remembering = (customer: CustomerMatcher) => stage(sandbox, [fails('remembers', { match: { customer } })]);

  it('said: in any of their messages, and nobody else in theirs', async () => {
    const world = await remembering({ said: '/\\bSTOP\\b/i' });
    expect(ruleOf(await trySend(world, ada))).toBeNull();
    await world.inbound(ada, { text: 'please stop it' });
    await world.inbound(ada, { text: 'thanks' });
    await world.inbound(bob, { text: 'nonstop' });
    expect(ruleOf(await trySend(world, ada))).toBe('remembers');
    expect(ruleOf(await trySend(world, bob))).toBeNull();
  });

  it('sends: how many were accepted, codes among them; refused ones do not count', async () => {
    const world = await remembering({ sends: { min: 2 } });
    await trySend(world, ada);
    await world.post('/v1/otp/send', { to: ada, template: 'login' });
    expect(ruleOf(await trySend(world, ada))).toBe('remembers');
    expect(ruleOf(await trySend(world, bob))).toBeNull();
    expect(ruleOf(await trySend(world, bob))).toBeNull();
    expect(ruleOf(await trySend(world, bob))).toBe('remembers');
  });

  it('last_status: of the latest message to them', async () => {
    const world = await remembering({ last_status: 'failed' });
    await trySend(world, ada, { 'x-sandbox-prefer': 'lifecycle=undeliverable' });
    expect(ruleOf(await trySend(world, ada))).toBe('remembers');
    await trySend(world, bob);
    await world.advance('2s');
    expect(ruleOf(await trySend(world, bob))).toBeNull();
  });

  it('before the activation does not count', async () => {
    const world = await stage(sandbox);
    await world.inbound(ada, { text: 'STOP' });
    await world.put('/_sandbox/scenario', {
      version: 1,
      rules: [fails('remembers', { match: { customer: { said: 'STOP' } } })],
    });
    expect(ruleOf(await trySend(world, ada))).toBeNull();
  });
});

describe('after a rule', () => {
  it('another one applies to the customers that it has applied to, at other hooks too', async () => {
    const world = await stage(sandbox, [
      {
        id: 'opted-out',
        when: 'message.send',
        match: { customer: { said: 'STOP' }, not: { after: 'opted-out' } },
        then: { lifecycle: 'recipient_opted_out' },
      },
      fails('blocked', { match: { after: 'opted-out' } }),
      { id: 'no-codes', when: 'otp.send', match: { after: 'opted-out' }, then: { respond: { status: 500 } } },
    ]);
    await world.inbound(ada, { text: 'STOP' });
    expect((await trySend(world, ada)).status).toBe(200);
    expect(ruleOf(await trySend(world, ada))).toBe('blocked');
    expect((await world.call('POST', '/v1/otp/send', { to: ada, template: 'login' })).status).toBe(500);
    expect((await trySend(world, bob)).status).toBe(200);
    expect((await world.call('POST', '/v1/otp/send', { to: bob, template: 'login' })).status).toBe(200);
  });

  it('added at run time, one of that name starts anew', async ({ world }) => {
    await world.put('/_sandbox/scenario', {
      version: 1,
      given: { templates: [{ name: 'order_shipped', category: 'utility', language: 'en', body: 'Order {{1}} left' }] },
    });
    await world.post('/_sandbox/rules', fails('second', { match: { after: 'first' } }));
    await world.post('/_sandbox/rules', { id: 'first', when: 'message.send', then: { lifecycle: 'unread' } });
    expect((await trySend(world, ada)).status).toBe(200);
    expect((await trySend(world, ada)).status).toBe(503);
    await world.delete('/_sandbox/rules/first');
    expect((await trySend(world, ada)).status).toBe(200);
  });
});

it('tags of languages are compared without case, and with either separator', async () => {
  const world = await stage(sandbox, [fails('german', { match: { language: ['DE', 'pt-BR', 'zh_*'] } })]);
  const statusOf = async (language: string) => {
    const template = { name: 'order_shipped', language, variables: ['42'] };
    return (await world.call('POST', '/v1/messages', { to: ada, type: 'template', template })).status;
  };
  expect(await Promise.all(['de', 'pt_br', 'zh-Hant', 'en'].map(statusOf))).toEqual([503, 503, 503, 200]);
});

describe('warnings', () => {
  it.each([
    [
      '{ when: message.send, match: { category: authentication }, then: { lifecycle: happy } }',
      ['codes_sent_elsewhere'],
    ],
    ['{ when: message.send, match: { customer: { last_status: faild } }, then: { lifecycle: happy } }', ['never_fits']],
    ['{ when: message.send, match: { after: nobody }, then: { lifecycle: happy } }', ['unknown_rule']],
    ['{ id: x, when: message.send, match: { after: x }, then: { lifecycle: happy } }', ['unknown_rule']],
    ['{ when: template.get, pick: { share: 50% }, then: { respond: { status: 500 } } }', ['share_without_customer']],
    ['{ when: message.send, pick: { share: 0% }, then: { lifecycle: happy } }', ['never_picked']],
    ['{ when: message.send, pick: { share: 50% }, per: recipient, then: { lifecycle: happy } }', ['per_without_count']],
    ['{ when: message.send, pick: { chance: 50% }, per: recipient, then: { lifecycle: happy } }', []],
  ])('%s', (rule, codes) => {
    const result = loadScenario(`version: 1\nrules:\n  - ${rule}\n`, { file: 'a.yaml' });
    expect(result.warnings.map(({ code }) => code)).toEqual(codes);
    expect(result).toHaveProperty('scenario');
  });

  it.each([
    [
      '{ when: template.get, match: { customer: { said: x } }, then: { respond: { status: 500 } } }',
      'fact_not_known_here',
    ],
    ['{ when: message.send, pick: { group: a, nth: 1 }, then: { lifecycle: happy } }', 'misplaced_key'],
    ['{ when: message.send, match: { customer: {} }, then: { lifecycle: happy } }', 'nothing_stated'],
  ])('but an error: %s', (rule, code) => {
    expect(loadScenario(`version: 1\nrules:\n  - ${rule}\n`, { file: 'a.yaml' })).toMatchObject({
      problems: [{ code }],
    });
  });
});
