import { describe, expect, it } from 'vitest';
import type { Control, World } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { at, frozen, hours, minutes, play, stage, startMs, trySend, usual } from '../../support/scenes.js';

const to = '+12025550110';

const { sandbox } = useSandbox({ clock: frozen });

const received = (world: World) => world.items<Control['SinkRequest']>('/_sandbox/sink/app/received');
const offsets = async (world: World, type: string) =>
  (await world.events(`?type=${type}`)).map(({ created_at }) => Date.parse(created_at) - startMs);

/** The steps that could not be made: which, when and why, as the scenario tells and the verdict too. */
async function passedOver(world: World): Promise<string[]> {
  const { warnings } = await world.get<Control['ActiveScenario']>('/_sandbox/scenario');
  const verdict = await world.get<Control['Verdict']>('/_sandbox/verdict');
  expect(verdict.warnings ?? []).toEqual(warnings.map(({ message }) => message));
  return warnings.map(({ code, message }) => {
    const [, kind, when, why] = /^The step "(\w+)" of the timeline at (\S+) was skipped: (.*)\.$/.exec(message) ?? [];
    expect(code).toBe('step_passed_over');
    return `${kind ?? ''} ${when ?? ''} ${why ?? ''}`;
  });
}

describe('each kind of action, at its offset from activation', () => {
  it('inbound: a customer writes, sends a picture, taps', async () => {
    const world = await stage(sandbox, [], {
      timeline: [
        { at: '+2m', inbound: { from: to, type: 'image', media_url: 'https://example.com/a.png' } },
        { at: '+1m', inbound: { from: to, text: 'Hello?', profile_name: 'Ada' } },
        { at: '+3m', inbound: { from: to, type: 'interactive', interactive: { id: 'yes', title: 'Yes' } } },
      ],
    });
    const { ran } = await world.advance('1h');
    expect(ran.filter(({ job }) => job === 'scenario.step').map(({ at: when }) => when)).toEqual(
      [1, 2, 3].map((minute) => at(minutes(minute))),
    );
    expect((await world.events('?type=message.received')).map(({ data }) => data)).toMatchObject([
      { from: to, text: 'Hello?', profile_name: 'Ada' },
      { type: 'image', media_url: 'https://example.com/a.png', profile_name: 'Ada' },
      { type: 'interactive', interactive: { id: 'yes', title: 'Yes' } },
    ]);
    expect(await world.get(`/_sandbox/customers/${to}`)).toMatchObject({
      window: { open: true, closes_at: at(hours(24) + minutes(3)) },
    });
  });

  it('template: paused, approved, deleted; a pending one approved or rejected', async () => {
    const world = await stage(sandbox, [{ when: 'template.review', then: { review: { never: true } } }], {
      timeline: [
        { at: '+1m', template: { name: 'order_shipped', status: 'paused' } },
        { at: '+2m', template: { name: 'order_shipped', status: 'approved' } },
        { at: '+3m', template: { name: 'order_shipped', status: 'deleted' } },
        { at: '+4m', template: { name: 'order_shipped', status: 'approved' } },
        { at: '+5m', template: { name: 'second', status: 'rejected', reason: 'Shouts.' } },
        { at: '+5m', template: { name: 'third', status: 'approved' } },
        { at: '+6m', template: { name: 'unheard_of', status: 'deleted' } },
      ],
    });
    const second = await world.template('second', {}, false);
    const third = await world.template('third', {}, false);
    const seen: string[] = [];
    for (let minute = 1; minute <= 4; minute += 1) {
      await world.advance('1m');
      const all = await world.items<Control['Template']>('/_sandbox/templates');
      seen.push(all.find(({ name }) => name === 'order_shipped')?.status ?? '');
    }
    expect(seen).toEqual(['paused', 'approved', 'deleted', 'deleted']);
    await world.advance('1h');
    expect(await world.get(`/v1/templates/${second}`)).toMatchObject({
      status: 'rejected',
      rejection_reason: 'Shouts.',
    });
    expect(await world.get(`/v1/templates/${third}`)).toMatchObject({ status: 'approved' });
    expect(await offsets(world, 'template.status')).toEqual([minutes(5), minutes(5)]);
    expect(await passedOver(world)).toEqual([
      `template ${at(minutes(4))} the template "order_shipped" is deleted and cannot become approved`,
      `template ${at(minutes(6))} there is no template "unheard_of"`,
    ]);
  });

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
        webhooks: [
          ...usual.webhooks,
          { alias: 'other', url: 'https://sink.sandbox/other', events: ['message.status'] },
        ],
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
    expect(await passedOver(world)).toEqual([`emit ${at(minutes(4))} there is no endpoint with the alias "nobody"`]);
  });

  it('message: the channel reports on the latest message; what is not possible is passed over', async () => {
    const world = await stage(sandbox, [{ when: 'message.send', then: { lifecycle: 'silent' } }], {
      timeline: [
        { at: '+1m', message: { to, status: 'delivered' } },
        { at: '+2m', message: { to, status: 'sent' } },
        { at: '+3m', message: { to, status: 'failed', error: '131049' } },
        { at: '+4m', message: { to: '+12025550111', status: 'read' } },
      ],
    });
    await trySend(world, to);
    await trySend(world, to);
    await world.advance('1h');
    const [first, second] = await world.items<Control['Message']>('/_sandbox/messages');
    expect(first?.status).toBe('accepted');
    expect(second).toMatchObject({ status: 'failed', error: { code: 'not_delivered_by_channel' } });
    expect(await offsets(world, 'message.status')).toEqual([minutes(1), minutes(3)]);
    expect(await passedOver(world)).toEqual([
      `message ${at(minutes(2))} the message to ${to} is delivered and cannot become sent`,
      `message ${at(minutes(4))} no message was sent to +12025550111`,
    ]);
  });

  it('window: opened and closed without an inbound event', async () => {
    const world = await stage(sandbox, [], {
      timeline: [
        { at: '+1m', window: { phone: to, open: true } },
        { at: '+2m', window: { phone: to, open: false } },
      ],
    });
    const status = async () => (await world.call('POST', '/v1/messages', { to, type: 'text', text: 'Hi' })).status;
    const seen = [await status()];
    for (let minute = 1; minute <= 2; minute += 1) {
      await world.advance('1m');
      seen.push(await status());
    }
    expect(seen).toEqual([400, 200, 400]);
    expect(await world.events('?type=message.received')).toEqual([]);
  });

  it('webhook: paused, so that deliveries are held, and resumed', async () => {
    const world = await stage(sandbox, [], {
      timeline: [
        { at: '+1m', webhook: { alias: 'app', status: 'paused' } },
        { at: '+2m', inbound: { from: to, text: 'missed' } },
        { at: '+3m', webhook: { alias: 'app', status: 'active' } },
        { at: '+3m', webhook: { alias: 'app', status: 'active' } },
        { at: '+3m', webhook: { alias: 'ap', status: 'active' } },
        { at: '+4m', inbound: { from: to, text: 'heard' } },
      ],
    });
    await world.advance('1m');
    expect((await world.get<{ webhooks: object[] }>('/v1/webhooks')).webhooks).toMatchObject([
      { status: 'paused', pause_reason: "Paused by the scenario's timeline." },
    ]);
    await world.advance('1h');
    expect((await world.deliveries()).map(({ state }) => state)).toEqual(['held', 'delivered']);
    expect((await received(world)).map(({ json }) => (json as { data: { text: string } }).data.text)).toEqual([
      'heard',
    ]);
    expect(await passedOver(world)).toEqual([`webhook ${at(minutes(3))} there is no endpoint with the alias "ap"`]);
  });
});

it('what lies at +0s has happened when the activation returns', async () => {
  const world = await stage(sandbox, [], { timeline: [{ at: '+0s', inbound: { from: to, text: 'now' } }] });
  expect(await offsets(world, 'message.received')).toEqual([0]);
});

it('the timeline of a scenario goes with it', async () => {
  const world = await stage(sandbox, [], { timeline: [{ at: '+1h', inbound: { from: to, text: 'old' } }] });
  await world.advance('30m');
  await play(world, { timeline: [{ at: '+45m', inbound: { from: to, text: 'new' } }] });
  await world.advance('1h');
  expect((await world.events()).map(({ data }) => (data as { text: string }).text)).toEqual(['new']);
  expect(await offsets(world, 'message.received')).toEqual([minutes(75)]);
  await play(world, { timeline: [{ at: '+1h', inbound: { from: to, text: 'never' } }] });
  await world.delete('/_sandbox/scenario');
  await world.advance('1d');
  expect(await world.events()).toHaveLength(1);
  expect((await world.clock()).pending).toBe(0);
});
