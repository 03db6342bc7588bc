import { describe, expect, it } from 'vitest';
import type { Slots } from '../../../src/scenario/language/slots.js';
import type { Lifecycle } from '../../../src/scenario/language/lifecycles.js';
import type { World } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { frozen, latestCall, latestMessage, ruleOf, stage, startMs, trySend } from '../../support/scenes.js';

const to = '+12025550110';

const { sandbox } = useSandbox({ clock: frozen });

const text = (world: World) => world.call('POST', '/v1/messages', { to, type: 'text', text: 'Hi' });

const inboundEvents = async (world: World) =>
  (await world.events('?type=message.received')).map(({ data, created_at }) => ({
    ...data,
    atMs: Date.parse(created_at) - startMs,
  }));

describe('the customer answers', () => {
  const answering = (inbound: NonNullable<Slots['inbound']>) =>
    stage(sandbox, [{ id: 'answers', when: 'message.send', match: { to }, then: { inbound } }]);

  it('with a text, at its offset from acceptance, and the window opens', async () => {
    const world = await answering({ after: '90s', text: 'Where is it?' });
    expect(ruleOf(await trySend(world, to))).toBe('answers');
    expect((await latestMessage(world, to)).explain).toMatchObject({ by: 'rule', id: 'answers' });
    await world.advance('89999ms');
    expect(await inboundEvents(world)).toEqual([]);
    expect((await text(world)).status).toBe(400);
    await world.advance('1ms');
    expect(await inboundEvents(world)).toMatchObject([{ from: to, type: 'text', text: 'Where is it?', atMs: 90_000 }]);
    expect((await text(world)).status).toBe(200);
  });

  it('not with a button the message has not, which the journal says', async () => {
    const world = await answering({ after: '1m', button: 2 });
    expect((await trySend(world, to)).status).toBe(200);
    expect((await latestCall(world)).warnings).toEqual([
      'No reply by answers: button 2 is to be tapped, but the message does not have it.',
    ]);
    await world.advance('1h');
    expect(await inboundEvents(world)).toEqual([]);
  });

  it('with something made up when the rule says nothing, the same for the same seed', async () => {
    const world = await answering({});
    await trySend(world, to);
    expect(await inboundEvents(world)).toEqual([]);
    await world.advance('300ms');
    expect(await inboundEvents(world)).toMatchObject([{ type: 'text', text: expect.stringMatching(/\w/) as string }]);
  });

  it('by tapping a button of an interactive message', async () => {
    const world = await answering({ after: '30s', button: 2 });
    await world.inbound(to);
    const buttons = [
      { id: 'yes', title: 'Yes' },
      { id: 'no', title: 'No' },
    ];
    await world.post('/v1/messages', { to, type: 'interactive', interactive: { body: 'Shall we?', buttons } });
    await world.advance('30s');
    const tapped = (await inboundEvents(world)).at(-1);
    expect(tapped).toMatchObject({ type: 'interactive', interactive: { id: 'no', title: 'No' }, atMs: 30_000 });
  });

  it('by tapping a quick reply of a template, which other buttons do not count as', async () => {
    const world = await answering({ button: 1 });
    const buttons = [
      { type: 'url', text: 'Shop', url: 'https://example.com' },
      { type: 'quick_reply', text: 'Stop' },
    ];
    await world.template('with_buttons', { buttons });
    await world.send(to, 'with_buttons');
    await world.advance('300ms');
    expect(await inboundEvents(world)).toMatchObject([{ interactive: { id: 'Stop', title: 'Stop' } }]);
  });

  it.each([
    ['failed', 'undeliverable', []],
    ['failed before the delivery', 'blocked', []],
    ['never delivered', 'stuck', []],
    ['delivered late, so long after its delivery', [{ delivered: '10m' }], [660_000]],
    ['read without a report of its delivery', [{ read: '2m' }], [180_000]],
  ] as const)('a message only once it is delivered: %s', async (_name, lifecycle, expected) => {
    const then = { lifecycle: lifecycle as Lifecycle, inbound: { after: '1m', text: 'Yes' } };
    const world = await stage(sandbox, [{ id: 'answers', when: 'message.send', then }]);
    await trySend(world, to);
    const warned = (await latestCall(world)).warnings;
    expect(warned).toEqual(expected.length > 0 ? [] : ['No reply by answers: the message will not be delivered.']);
    await world.advance('1h');
    expect((await inboundEvents(world)).map(({ atMs }) => atMs)).toEqual(expected);
  });

  it('not a message that a command has failed meanwhile', async () => {
    const world = await answering({ after: '1m', text: 'Yes' });
    await trySend(world, to);
    const { id } = await latestMessage(world, to);
    await world.post(`/_sandbox/messages/${id}/status`, { status: 'failed', error: 'recipient_opted_out' });
    await world.advance('1h');
    expect(await inboundEvents(world)).toEqual([]);
  });

  it('not at all when there is no such button', async () => {
    const world = await answering({ button: 1 });
    await trySend(world, to);
    await world.advance('1d');
    expect(await inboundEvents(world)).toEqual([]);
  });
});

describe('the window', () => {
  it('open: a customer who never wrote can be written to', async () => {
    const world = await stage(sandbox, [{ id: 'open', when: 'message.send', then: { window: 'open' } }]);
    const answer = await text(world);
    expect([answer.status, ruleOf(answer)]).toEqual([200, 'open']);
  });

  it('closed: even after an inbound message, and the refusal names the rule', async () => {
    const world = await stage(sandbox, [
      { id: 'shut', when: 'message.send', match: { type: { not: 'template' } }, then: { window: 'closed' } },
    ]);
    await world.inbound(to);
    const answer = await text(world);
    expect([answer.status, answer.body.error.code, ruleOf(answer)]).toEqual([400, 'send_failed', 'shut']);
    expect((await trySend(world, to)).status).toBe(200);
  });

  it('by default: what the scenario says holds for those who never wrote, and the clock for the others', async () => {
    const world = await stage(sandbox, [], { defaults: { window: 'open' } });
    expect((await text(world)).status).toBe(200);
    await world.inbound(to);
    await world.advance('24h');
    expect((await text(world)).status).toBe(400);
  });
});
