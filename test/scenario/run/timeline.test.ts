/** Events that a timeline emits, what it replays, and the customers that a scenario creates in number. */
import { describe, expect, it } from 'vitest';
import { isFictional } from '../../../src/domain/customer.js';
import { magicFor } from '../../../src/rules/magic-numbers.js';
import type { Rule } from '../../../src/language/rule.js';
import { loadScenario } from '../../../src/reader/load.js';
import type { Control, World } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { at, frozen, minutes, stage, startMs, usual } from '../../support/scenes.js';

const { sandbox } = useSandbox({ clock: frozen });

const received = (world: World) => world.items<Control['SinkRequest']>('/_sandbox/sink/app/received');

it('emit: a range of delays is drawn with the seed, not always its beginning', async () => {
  const delays = async (seed: number) => {
    const at = ['+1m', '+2m', '+3m', '+4m'];
    const emit = { type: 'otp.verified', webhook: { delay: '1s..9s' } } as const;
    const world = await stage(sandbox, [], { seed, timeline: at.map((each) => ({ at: each, emit })) });
    await world.advance('5m');
    return (await world.deliveries()).map(
      ({ attempts: [attempt] }, i) => Date.parse(attempt?.at ?? '') - startMs - minutes(i + 1),
    );
  };
  const drawn = await delays(7);
  expect(new Set(drawn).size).toBeGreaterThan(1);
  expect(drawn.every((each) => each >= 1000 && each <= 9000)).toBe(true);
  expect(await delays(7)).toEqual(drawn);
  expect(await delays(8)).not.toEqual(drawn);
});

it('emit: an event with data of its own, with a fault, to one endpoint alone', async () => {
  const world = await stage(sandbox, [], {
    timeline: [
      { at: '+1m', emit: { type: 'message.received', data: { text: 'made up' } } },
      { at: '+2m', emit: { type: 'otp.verified', alias: 'other', webhook: { signature: 'missing' } } },
      { at: '+3m', emit: { type: 'template.status', webhook: { duplicate: 2 } } },
      { at: '+4m', emit: { type: 'message.status', alias: 'nobody' } },
    ],
    given: {
      ...usual,
      webhooks: [...usual.webhooks, { alias: 'other', url: 'https://sink.sandbox/other', events: ['message.status'] }],
    },
  });
  await world.advance('1h');
  const app = await received(world);
  expect(app.map(({ headers }) => headers['x-service-event'])).toEqual([
    'message.received',
    ...Array<string>(3).fill('template.status'),
  ]);
  expect(app[0]?.json).toMatchObject({ data: { text: 'made up' } });
  const other = await world.items<Control['SinkRequest']>('/_sandbox/sink/other/received');
  expect(other).toMatchObject([{ at: at(minutes(2)), signature_valid: false }]);
  expect(other[0]?.headers).not.toHaveProperty('x-service-signature');
  const { warnings } = await world.get<Control['ActiveScenario']>('/_sandbox/scenario');
  expect(warnings.map(({ message }) => message)).toEqual([
    `The step "emit" of the timeline at ${at(minutes(4))} was skipped: there is no endpoint with the alias "nobody".`,
  ]);
});

describe('a replay', () => {
  const down: Rule = {
    id: 'down',
    when: 'webhook.deliver',
    active: { before: '+2h' },
    then: { webhook: { receiver: { simulate: 503 } } },
  };
  const texts = async (world: World) =>
    (await world.items<{ body: string }>('/_sandbox/sink/app/received?limit=1000')).map(
      ({ body }) => (JSON.parse(body) as { data: { text?: string } }).data.text,
    );
  const asked = Array.from({ length: 8 }, (_, n) => ({
    at: `+${n + 1}m`,
    inbound: { phone: '+12025550111', text: String(n) },
  }));

  it('delivers what was missed at once, with copies and in an order of its own, the same each time', async () => {
    const runs = [];
    for (let run = 0; run < 2; run += 1) {
      const world = await stage(sandbox, [down], {
        timeline: [...asked, { at: '+2h', replay: { alias: 'app', duplicate: 1, shuffle: true } }],
      });
      await world.advance('119m');
      expect(await texts(world)).toEqual([]);
      await world.advance('1m');
      runs.push(await texts(world));
      await world.advance('1d');
      expect(await texts(world)).toHaveLength(16);
      expect((await world.deliveries('?limit=100')).every(({ state }) => state === 'delivered')).toBe(true);
    }
    const inOrder = asked.flatMap(({ inbound: { text } }) => [text, text]);
    expect(runs[0]).not.toEqual(inOrder);
    expect(runs[0]?.toSorted()).toEqual(inOrder);
    expect(runs[1]).toEqual(runs[0]);
  });
});

describe('many customers', () => {
  const phonesOf = (customers: string) => {
    const result = loadScenario(`version: 1\ngiven:\n  customers: ${customers}\n`, { file: 'a.yaml' });
    return 'problems' in result
      ? result.problems.map(({ code }) => code)
      : result.scenario.given.customers.map(({ phone }) => phone);
  };

  it('have different numbers of fiction without a behaviour, beginning where the file says', () => {
    const phones = phonesOf('[{ count: 300, phone: +1305555… }, { phone: +13055550102 }, { count: 2 }]');
    expect(new Set(phones).size).toBe(303);
    expect(phones.every((phone) => isFictional(phone))).toBe(true);
    expect(phones.filter((phone) => magicFor(phone) !== null)).toEqual([]);
    expect(phones[0]).toBe('+13055550108');
    expect(phones.slice(-2)).toEqual(['+12025550102', '+12025550108']);
    expect(phonesOf('[{ count: 2, phone: +13055550110 }]')).toEqual(['+13055550110', '+13055550111']);
  });

  it('exist from the start', async () => {
    const world = await stage(sandbox, [], { given: { ...usual, customers: [{ count: 100, window: 'open' }] } });
    const customers = await world.items<{ window: { open: boolean } }>('/_sandbox/customers?limit=1000');
    expect(customers).toHaveLength(100);
    expect(customers.every(({ window }) => window.open)).toBe(true);
  });
});
