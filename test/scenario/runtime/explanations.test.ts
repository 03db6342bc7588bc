/** Whether what happened is told as it happened: by plan, by a command, by a rule, a magic number or the timeline. */
import { describe, expect, it } from 'vitest';
import type { ReviewSlot } from '../../../src/scenario/language/slots.js';
import type { Control, World } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { frozen, latestMessage, stage, trySend } from '../../support/scenes.js';

const to = '+12025550110';

const { sandbox } = useSandbox({ clock: frozen });

const hands = (history: readonly { status: string; by?: string }[]) =>
  history.map(({ status, by = 'plan' }) => `${status} by ${by}`);
const templateOf = (world: World, id: string) => world.get<Control['Template']>(`/_sandbox/templates/${id}`);
/** The latest inbound message on a customer's phone. */
async function written(world: World, from = to) {
  const all = await world.items<Control['HandsetMessage']>(`/_sandbox/customers/${from}/messages`);
  return all.filter(({ direction }) => direction === 'inbound').at(-1);
}

describe('a message that did not go the planned way', () => {
  it('says which states a command reported, and what the plan was', async () => {
    const world = await stage(sandbox);
    await trySend(world, to);
    const { message_id: id, explain } = await latestMessage(world, to);
    expect(explain.text).toBe(
      'No rule or magic number sets its lifecycle: sent immediately, delivered after 300ms, read after 1s.',
    );
    await world.post(`/_sandbox/messages/${id}/status`, { status: 'delivered' });
    await world.post(`/_sandbox/messages/${id}/status`, { status: 'failed' });
    const shown = await latestMessage(world, to);
    expect(hands(shown.history)).toEqual([
      'accepted by plan',
      'sent by plan',
      'delivered by command',
      'failed by command',
    ]);
    expect(shown.explain).toEqual({
      by: 'default',
      text: `A command moved it to delivered. A command moved it to failed. The plan was: ${explain.text}`,
    });
  });

  it('names the rule that had planned otherwise', async () => {
    const world = await stage(sandbox, [{ id: 'stuck', when: 'message.send', then: { lifecycle: 'stuck' } }], {
      timeline: [{ at: '+1m', message: { to, status: 'read' } }],
    });
    await trySend(world, to);
    await world.advance('1m');
    const { explain, history } = await latestMessage(world, to);
    expect(hands(history)).toEqual(['accepted by plan', 'sent by plan', 'read by timeline']);
    expect(explain).toMatchObject({
      by: 'rule',
      id: 'stuck',
      text: expect.stringMatching(/^The timeline moved it to read\. The plan was: Rule stuck /) as string,
    });
  });
});

describe('a template that did not go the planned way', () => {
  it.each([
    ['review', { decision: 'rejected' }, 'rejected'],
    ['status', { status: 'deleted' }, 'deleted'],
  ])('by POST …/%s %j', async (call, body, status) => {
    const world = await stage(sandbox);
    const id = await world.template('promo', {}, false);
    const plan = (await templateOf(world, id)).explain.text;
    expect(plan).toBe('No rule or magic name decides its review: approved after 1s.');
    await world.post(`/_sandbox/templates/${id}/${call}`, body);
    const { explain, history } = await templateOf(world, id);
    expect(hands(history)).toEqual(['pending by plan', `${status} by command`]);
    expect(explain).toEqual({ by: 'default', text: `A command moved it to ${status}. The plan was: ${plan}` });
  });

  it('by the timeline; what its scenario planned for later is the plan', async () => {
    const review: ReviewSlot = { approve: true, after: '1m', later: [{ paused: '1m' }] };
    const world = await stage(sandbox, [{ id: 'owner', when: 'template.review', then: { review } }], {
      timeline: [{ at: '+3m', template: { name: 'promo', status: 'deleted' } }],
    });
    const id = await world.template('promo', {}, false);
    await world.advance('5m');
    const { explain, history } = await templateOf(world, id);
    expect(hands(history)).toEqual(['pending by plan', 'approved by plan', 'paused by plan', 'deleted by timeline']);
    expect(explain).toMatchObject({ by: 'rule', id: 'owner' });
    expect(explain.text).toMatch(/^The timeline moved it to deleted\. The plan was: Rule owner /);
  });

  it('given anew by a scenario, it is given', async () => {
    const world = await stage(sandbox);
    const id = await world.template('promo', {}, false);
    const given = { name: 'promo', category: 'utility', language: 'en', body: 'Hello', status: 'approved' };
    await world.put('/_sandbox/scenario', { version: 1, given: { templates: [given] } });
    expect((await templateOf(world, id)).explain).toEqual({ by: 'default', text: 'Given by the scenario.' });
  });
});

describe('what a customer wrote', () => {
  it('because of a command', async () => {
    const world = await stage(sandbox);
    await world.inbound(to);
    expect((await written(world))?.explain).toEqual({
      by: 'default',
      text: 'A command sent this message as the customer.',
    });
  });

  it('because of a rule: the rule of the answered message', async () => {
    const world = await stage(sandbox, [{ id: 'curious', when: 'message.send', then: { inbound: { after: '1m' } } }]);
    await trySend(world, to);
    await world.advance('1m');
    expect((await written(world))?.explain).toEqual((await latestMessage(world, to)).explain);
    expect((await written(world))?.explain).toMatchObject({ by: 'rule', id: 'curious' });
  });

  it.each([
    ['70', 'Replies "OK" after 30 seconds.'],
    ['72', 'Replies "STOP" after 30 seconds.'],
  ])('because of the magic number %s', async (suffix, text) => {
    const world = await stage(sandbox);
    await trySend(world, `+120255501${suffix}`);
    await world.advance('30s');
    expect((await written(world, `+120255501${suffix}`))?.explain).toEqual({
      by: 'magic',
      id: `magic-${suffix}`,
      text,
    });
  });

  it('because of a step of the timeline', async () => {
    const world = await stage(sandbox, [], {
      name: 'visit',
      timeline: [{ at: '+90m', inbound: { from: to, text: 'Hello?' } }],
    });
    await world.advance('2h');
    expect((await written(world))?.explain).toEqual({
      by: 'header',
      id: 'timeline',
      text: 'The timeline of scenario visit let the customer write, at +1h30m.',
    });
  });
});

describe('a delivery that a call asked for', () => {
  it.each<[object, string]>([
    [{ signature: 'wrong_secret' }, 'with signature: wrong_secret'],
    [{ duplicate: 1, receiver: { simulate: 500 } }, 'with duplicate: 1, receiver: { simulate: 500 }'],
    [{}, 'as it is'],
  ])('with %j says what was wanted of it', async (webhook, wanted) => {
    const world = await stage(sandbox);
    await world.post('/_sandbox/events', { type: 'message.received', webhook });
    const [delivery] = await world.deliveries();
    expect(delivery?.explain).toEqual({
      by: 'header',
      text: `The call that caused this delivery requested it ${wanted}.`,
    });
  });
});

describe('a delivery that is made after all', () => {
  const only = async (world: World) => (await world.deliveries())[0];

  it('does not say any more that it is held', async () => {
    const world = await stage(sandbox);
    const [{ id } = { id: '' }] = await world.items<Control['Endpoint']>('/_sandbox/webhooks');
    await world.put(`/_sandbox/webhooks/${id}`, { status: 'paused' });
    const { event_id } = await world.inbound(to);
    expect((await only(world))?.explain?.text).toMatch(/^Held: the endpoint was paused\./);
    await world.put(`/_sandbox/webhooks/${id}`, { status: 'active' });
    await world.post(`/_sandbox/events/${event_id}/redeliver`);
    await world.idle();
    expect(await only(world)).toMatchObject({
      state: 'delivered',
      explain: { by: 'default', text: 'Redelivered by a command.' },
    });
  });

  it('keeps the rule that had dropped it at first', async () => {
    const world = await stage(sandbox, [{ id: 'lost', when: 'webhook.deliver', then: { webhook: { drop: true } } }]);
    const { event_id } = await world.inbound(to);
    const dropped = (await only(world))?.explain;
    for (const _ of ['once', 'twice']) {
      await world.post(`/_sandbox/events/${event_id}/redeliver`);
      await world.idle();
      expect(await only(world)).toMatchObject({
        state: 'delivered',
        explain: { id: 'lost', text: `Redelivered by a command. Originally: ${dropped?.text ?? ''}` },
      });
    }
  });
});
