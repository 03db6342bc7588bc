import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../src/scenario/language/rules.js';
import type { Api, World } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { frozen, latestCall, ruleOf, stage, trySend } from '../../support/scenes.js';

const [ada, bob] = ['+12025550110', '+12025550111'];

const { sandbox } = useSandbox({ clock: frozen });

const striking = (more: Omit<Rule, 'when' | 'then' | 'id'>) =>
  stage(sandbox, [{ id: 'strike', when: 'message.send', ...more, then: { respond: { status: 503 } } }]);

/** Which of so many sends are struck, from 1. */
async function struck(world: World, recipients: readonly string[]): Promise<number[]> {
  const hit: number[] = [];
  for (const [i, to] of recipients.entries()) if (ruleOf(await trySend(world, to)) === 'strike') hit.push(i + 1);
  return hit;
}
const times = (count: number, to = ada) => Array.from({ length: count }, () => to);

describe('pick', () => {
  it.each([
    [{ first: 2 }, [1, 2]],
    [{ nth: 3 }, [3]],
    [{ every: 3 }, [3, 6]],
    [{ after: 5 }, [6, 7]],
    [{ between: [2, 4] }, [2, 3, 4]],
    [{ every: 2, after: 3 }, [4, 6]],
    [{ chance: '0%' }, []],
    [{ chance: '100%' }, [1, 2, 3, 4, 5, 6, 7]],
    [{ chance: '100%', nth: 2 }, [2]],
  ] as const)('%j strikes %j of seven', async (pick, expected) => {
    const world = await striking({ pick: pick as never });
    expect(await struck(world, times(7))).toEqual(expected);
  });

  it('a rule that passes falls through to the next, which counts only what reaches it', async () => {
    const world = await stage(sandbox, [
      { id: 'odd', when: 'message.send', pick: { nth: 2 }, then: { respond: { status: 503 } } },
      { id: 'next', when: 'message.send', pick: { nth: 2 }, then: { respond: { status: 500 } } },
    ]);
    const statuses: number[] = [];
    for (const to of times(4)) statuses.push((await trySend(world, to)).status);
    // The second send never reaches `next`, so its own second is the third.
    expect(statuses).toEqual([200, 503, 500, 200]);
  });

  it('counts what fits, not what is sent', async () => {
    const world = await striking({ match: { to: bob }, pick: { nth: 2 } });
    expect(await struck(world, [ada, bob, ada, bob, bob])).toEqual([4]);
    expect((await latestCall(world)).status).toBe(200);
  });

  it('says which number it was', async () => {
    const world = await striking({ pick: { nth: 2 } });
    await struck(world, times(2));
    expect((await latestCall(world)).explain?.text).toBe(
      'Rule strike matches every call; number 2 of this account, picked by nth 2.',
    );
  });
});

describe('per', () => {
  it('recipient: everybody has a count of their own, in a batch as well', async () => {
    const world = await stage(sandbox, [
      {
        id: 'once',
        when: 'message.send',
        pick: { first: 1 },
        per: 'recipient',
        then: { refuse: { code: 'busy', message: 'Later.' } },
      },
    ]);
    expect((await trySend(world, ada)).status).toBe(400);
    const batch = await trySend<Api['BatchResult']>(world, [ada, bob]);
    expect(batch.body.results.map(({ ok }) => ok)).toEqual([true, false]);
  });

  it('template', async () => {
    const world = await striking({ pick: { first: 1 }, per: 'template' });
    await world.template('other');
    const send = (name: string) =>
      world.call('POST', '/v1/messages', {
        to: ada,
        type: 'template',
        template: { name, language: 'en', variables: ['42'] },
      });
    const statuses = [];
    for (const name of ['order_shipped', 'other', 'order_shipped', 'other']) statuses.push((await send(name)).status);
    expect(statuses).toEqual([503, 503, 200, 200]);
  });

  it('endpoint: where it is registered, one URL is one endpoint', async () => {
    const world = await stage(sandbox);
    const rule = {
      id: 'late',
      when: 'webhook.create',
      pick: { nth: 2 },
      per: 'endpoint',
      then: { respond: { status: 503 } },
    };
    expect(await world.post('/_sandbox/rules', rule)).toMatchObject({ warnings: [] });
    const statuses: number[] = [];
    for (const name of ['one', 'two', 'one', 'two', 'one']) {
      const body = { url: `https://sink.sandbox/${name}`, events: ['message.status'] };
      statuses.push((await world.call('POST', '/v1/webhooks', body)).status);
    }
    expect(statuses).toEqual([200, 200, 503, 503, 200]);
  });

  it('endpoint', async () => {
    const world = await stage(sandbox, [
      { id: 'lost', when: 'webhook.deliver', pick: { first: 1 }, per: 'endpoint', then: { webhook: { drop: true } } },
    ]);
    await world.register('https://sink.sandbox/other', ['message.received']);
    await world.inbound(ada);
    await world.inbound(ada);
    await world.idle();
    expect((await world.deliveries()).map(({ state }) => state)).toEqual([
      'dropped',
      'dropped',
      'delivered',
      'delivered',
    ]);
  });
});

it('active: from its first instant to before its last, counted from activation', async () => {
  const world = await striking({ active: { from: '+1h', to: '+2h' } });
  const status = async () => (await trySend(world, ada)).status;
  const seen = [await status()];
  for (const by of ['3599999ms', '1ms', '3599999ms', '1ms']) {
    await world.advance(by);
    seen.push(await status());
  }
  expect(seen).toEqual([200, 200, 503, 503, 200]);
});

describe('chance', () => {
  const recipients = Array.from({ length: 100 }, (_, i) => `+1${String(201 + i)}5550110`);
  const refusing = (seed: number) =>
    stage(
      sandbox,
      [
        {
          id: 'some',
          when: 'message.send',
          pick: { chance: '30%' },
          then: { refuse: { code: 'busy', message: 'Later.' } },
        },
      ],
      { seed },
    );
  const victims = async (world: World, order: readonly string[]): Promise<string[]> => {
    const { body } = await trySend<Api['BatchResult']>(world, order);
    return body.results.filter(({ ok }) => !ok).map(({ to }) => to);
  };

  it('strikes the same recipients whatever their order, in a batch or one by one, in any account', async () => {
    const first = await victims(await refusing(7), recipients);
    expect(first.length).toBeGreaterThan(15);
    expect(first.length).toBeLessThan(45);
    expect((await victims(await refusing(7), [...recipients].reverse())).reverse()).toEqual(first);
    const alone: string[] = [];
    const world = await refusing(7);
    for (const to of recipients.slice(50).concat(recipients.slice(0, 50)))
      if ((await trySend(world, to)).status === 400) alone.push(to);
    expect(alone.sort()).toEqual(first);
    expect(await victims(await refusing(8), recipients)).not.toEqual(first);
  });

  it('draws anew for each send to one recipient', async () => {
    const world = await refusing(7);
    const statuses = new Set<number>();
    for (const to of times(20)) statuses.add((await trySend(world, to)).status);
    expect([...statuses].sort()).toEqual([200, 400]);
  });
});
