/** When steps of the timeline happen: after a call or a rule, at a time of the day, again and again; and what is replayed. */
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../../src/scenario/reader/load.js';
import type { TimelineEntry } from '../../../src/scenario/language/timeline.js';
import type { Rule } from '../../../src/scenario/language/rules.js';
import { magicFor } from '../../../src/scenario/engine/magic-numbers.js';
import { isFictional } from '../../../src/domain/phone.js';
import type { World } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { frozen, stage, startMs, trySend, usual } from '../../support/scenes.js';

const to = '+12025550110';

const { sandbox } = useSandbox({ clock: frozen });

const wroteAt = async (world: World) =>
  (await world.events('?type=message.received&limit=1000')).map(
    ({ created_at }) => (Date.parse(created_at) - startMs) / 1000,
  );
const inbound = { from: '+12025550111', text: 'Hi' };
const staged = (timeline: TimelineEntry[], rules: Rule[] = []) => stage(sandbox, rules, { timeline });

describe('a step', () => {
  it('waits for the first call at a hook, and comes once', async () => {
    const world = await staged([{ at: { after: 'first message.send', by: '5m' }, inbound }]);
    await world.advance('1h');
    expect(await wroteAt(world)).toEqual([]);
    await trySend(world, to);
    await world.advance('1m');
    await trySend(world, to);
    await world.advance('1h');
    expect(await wroteAt(world)).toEqual([3900]);
  });

  it('waits for a rule to apply, and repeats', async () => {
    const rule: Rule = { id: 'second', when: 'message.send', pick: { nth: 2 }, then: { lifecycle: 'unread' } };
    const world = await staged([{ at: { after: 'second' }, every: '10s', times: 3, inbound }], [rule]);
    await trySend(world, to);
    await world.advance('1m');
    await trySend(world, to);
    await world.advance('1m');
    expect(await wroteAt(world)).toEqual([60, 70, 80]);
  });

  it('comes at a time of the day, and again every so often', async () => {
    // It is nine.
    const world = await staged([
      { at: { clock: '09:30' }, inbound },
      { at: { clock: '08:00' }, inbound },
      { at: { clock: '09:00', day: 3 }, inbound },
      { at: '+1h', every: '30m', times: 3, inbound },
    ]);
    await world.advance('3d');
    expect(await wroteAt(world)).toEqual([1800, 3600, 5400, 7200, 82_800, 172_800]);
  });

  it('that lies before the activation is passed over, and the activation and the verdict say so', async () => {
    const world = await stage(sandbox);
    const active = await world.put<{ warnings: { message: string }[] }>('/_sandbox/scenario', {
      version: 1,
      timeline: [{ at: { clock: '08:00', day: 1 }, inbound }],
    });
    expect(active.warnings.map(({ message }) => message)).toEqual([
      'The step of timeline[0] is before the activation; it is skipped.',
    ]);
    const { warnings } = await world.get<{ warnings: string[] }>('/_sandbox/verdict');
    expect(warnings).toEqual(active.warnings.map(({ message }) => message));
  });

  it('that waits does so over a snapshot', async () => {
    const world = await staged([
      { at: { after: 'message.send', by: '5m' }, inbound },
      { at: { after: 'otp.send' }, inbound },
    ]);
    await trySend(world, to);
    await world.post('/_sandbox/snapshots', { name: 'waiting' });
    await world.advance('1h');
    await world.post('/_sandbox/snapshots/waiting/restore');
    await trySend(world, to);
    await world.post('/v1/otp/send', { to, template: 'login' });
    await world.advance('1h');
    expect(await wroteAt(world)).toEqual([0, 300]);
  });
});

describe('a replay', () => {
  const down: Rule = {
    id: 'down',
    when: 'webhook.deliver',
    active: { from: '+0s', to: '+2h' },
    then: { webhook: { receiver: { simulate: 503 } } },
  };
  const texts = async (world: World) =>
    (await world.items<{ body: string }>('/_sandbox/sink/app/received?limit=1000')).map(
      ({ body }) => (JSON.parse(body) as { data: { text?: string } }).data.text,
    );
  const asked = Array.from({ length: 8 }, (_, n) => ({ at: `+${n + 1}m`, inbound: { ...inbound, text: String(n) } }));

  it('delivers what was missed at once, with copies and in an order of its own, the same each time', async () => {
    const runs = [];
    for (let run = 0; run < 2; run += 1) {
      const world = await staged(
        [...asked, { at: '+2h', replay: { alias: 'app', duplicate: 1, shuffle: true } }],
        [down],
      );
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

  it('comes in order where nothing else is said, to all endpoints', async () => {
    const world = await staged([...asked, { at: '+2h', replay: {} }], [down]);
    await world.advance('2h');
    expect(await texts(world)).toEqual(asked.map(({ inbound: { text } }) => text));
  });

  it('to an endpoint that is not there is passed over', async () => {
    const world = await staged([{ at: '+1m', replay: { alias: 'nobody' } }]);
    await world.advance('1m');
    const verdict = await world.get<{ warnings: string[] }>('/_sandbox/verdict');
    expect(verdict.warnings).toEqual([expect.stringMatching(/"replay".*no endpoint with the alias "nobody"/)]);
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
