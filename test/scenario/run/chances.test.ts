/** What a seed decides: the same choices in any order, in any account, on any machine. */
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../src/language/rule.js';
import type { Api, Control, World } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { frozen, stage, statusEvents, trySend } from '../../support/scenes.js';

const { sandbox } = useSandbox({ clock: frozen });

describe('a chance of the calls', () => {
  const recipients = Array.from({ length: 60 }, (_, i) => `+1${String(201 + i)}5550110`);
  const refuse = { code: 'busy', message: 'Later.' };
  const refusing = (seed: number) =>
    stage(sandbox, [{ when: 'message.send', pick: { chance: '30%' }, then: { refuse } }], { seed });
  const victims = async (world: World, order: readonly string[]): Promise<string[]> => {
    const { body } = await trySend<Api['BatchResult']>(world, order);
    return body.results.filter(({ ok }) => !ok).map(({ to }) => to);
  };

  it('strikes the same recipients whatever their order, in a batch or one by one, in any account', async () => {
    const first = await victims(await refusing(7), recipients);
    expect(first.length).toBeGreaterThan(9);
    expect(first.length).toBeLessThan(27);
    expect((await victims(await refusing(7), [...recipients].reverse())).reverse()).toEqual(first);
    const alone: string[] = [];
    const world = await refusing(7);
    for (const to of recipients.slice(30).concat(recipients.slice(0, 30)))
      if ((await trySend(world, to)).status === 400) alone.push(to);
    expect(alone.sort()).toEqual(first);
    expect(await victims(await refusing(8), recipients)).not.toEqual(first);
  });

  it('is drawn anew for each send to one recipient', async () => {
    const world = await refusing(7);
    const statuses = new Set<number>();
    for (let turn = 0; turn < 20; turn += 1) statuses.add((await trySend(world, '+12025550110')).status);
    expect([...statuses].sort()).toEqual([200, 400]);
  });
});

describe('a share of the customers', () => {
  const everybody = Array.from({ length: 40 }, (_, n) => `+14155552${String(n).padStart(3, '0')}`);

  async function struck(id: string, more: Partial<Rule>, to = everybody, rounds = 1): Promise<string[]> {
    const rule: Rule = { id, when: 'message.send', then: { respond: { status: 503 } }, ...more };
    const world = await stage(sandbox, [rule]);
    const found = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      for (const one of to) if ((await trySend(world, one)).status === 503) found.add(one);
    }
    return [...found].sort();
  }

  it('is the same for every call, order and rule, and grows with its size', async () => {
    const half = await struck('a', { pick: { share: '50%' } });
    expect(half.length).toBeGreaterThan(10);
    expect(half.length).toBeLessThan(30);
    expect(await struck('b', { pick: { share: '50%' } }, everybody.toReversed(), 2)).toEqual(half);
    const few = await struck('a', { pick: { share: '20%' } });
    expect(half).toEqual(expect.arrayContaining(few));
    expect(few.length).toBeLessThan(half.length);
  });

  it('of a second rule with the same action takes others, with another action the same', async () => {
    const when = 'message.send';
    const world = await stage(sandbox, [
      { id: 'down', when, pick: { share: '20%' }, then: { respond: { status: 503 } } },
      { id: 'busy', when, pick: { share: '30%' }, then: { respond: { status: 429 } } },
      { id: 'stuck', when, pick: { share: '20%' }, then: { lifecycle: 'stuck' } },
    ]);
    const answers = new Map<string, number>();
    for (const to of everybody) answers.set(to, (await trySend(world, to)).status);
    const those = (status: number) => everybody.filter((to) => answers.get(to) === status).sort();
    expect(those(503)).toEqual(await struck('a', { pick: { share: '20%' } }));
    expect([...those(503), ...those(429)].sort()).toEqual(await struck('a', { pick: { share: '50%' } }));
    const { rules } = await world.get<Control['ActiveScenario']>('/_sandbox/scenario');
    // Its customers are those of the first rule.
    expect(rules.find(({ id }) => id === 'stuck')?.hits).toBe(those(503).length);
  });
});

it('a range of a lifecycle is drawn within its ends', async () => {
  const offsets: number[] = [];
  for (const seed of [1, 1, 2]) {
    const then = { lifecycle: [{ delivered: '2s..8s' }] };
    const world = await stage(sandbox, [{ id: 'fate', when: 'message.send', then }], { seed });
    await trySend(world, '+12025550110');
    await world.advance('1m');
    offsets.push((await statusEvents(world, '+12025550110'))[0]?.[1] ?? Number.NaN);
  }
  const [first, again, other] = offsets;
  expect(first).toBeGreaterThanOrEqual(2000);
  expect(first).toBeLessThanOrEqual(8000);
  expect([again, other === first]).toEqual([first, false]);
});
