import { describe, expect, it } from 'vitest';
import type { Api, Control, World } from '../../support/client.js';
import { ManualHost } from '../../support/manual-host.js';
import { startTestSandbox, useSandbox } from '../../support/sandbox.js';
import {
  frozen,
  historyOf,
  hours,
  latestMessage,
  ruleOf,
  seconds,
  stage,
  startMs,
  statusEvents,
  trySend,
} from '../../support/scenes.js';

const { sandbox } = useSandbox({ clock: frozen });

/** The number of a behaviour, in some area code. */
const number = (suffix: string, area = 415) => `+1${area}55501${suffix}`;
const text = (world: World, to: string) => world.call('POST', '/v1/messages', { to, type: 'text', text: 'Hi' });
const sendOtp = (world: World, to: string) => world.call<Api['OtpSent']>('POST', '/v1/otp/send', { to });
const received = (world: World) => world.items<Control['SinkRequest']>('/_sandbox/sink/app/received');

it('all of them are listed at /_sandbox/info', async () => {
  const info = await (await stage(sandbox)).get<Control['Info']>('/_sandbox/info');
  const suffixes = '00 01 03 04 05 06 07 09 20 21 25 30 40 41 42 43 44 50 51 60 61 62 70 71 72 80';
  expect(info.magic_numbers.map(({ suffix }) => suffix).join(' ')).toBe(suffixes);
  expect(info.magic_templates.map(({ suffix }) => suffix)).toEqual(['_reject', '_slow', '_never']);
});

describe('what becomes of a message', () => {
  it.each([
    ['00', 'sent 0 delivered 300', 'delivered', null],
    ['01', 'sent 0 delivered 300 read 1000', 'read', null],
    ['03', 'sent 0 delivered 600000 read 660000', 'read', null],
    ['04', `sent 0 delivered ${hours(25)}`, 'delivered', null],
    ['05', 'delivered 300', 'delivered', null],
    ['06', 'sent 0 read 1000 delivered 2000', 'read', null],
    ['09', 'sent 0', 'sent', null],
    ['20', 'failed 0', 'failed', 131026],
    ['21', 'sent 0 failed 3000', 'failed', 131049],
    ['25', 'failed 0', 'failed', 131053],
  ] as const)('%s: %s, in the end %s', async (suffix, events, status, channelCode) => {
    for (const area of [201, 989]) {
      const world = await stage(sandbox);
      const to = number(suffix, area);
      const answer = await trySend<{ message_id: string; status: string }>(world, to);
      expect([answer.status, answer.body.status, ruleOf(answer)]).toEqual([200, 'accepted', `magic-${suffix}`]);
      await world.advance('72h');
      expect((await statusEvents(world, to)).flat().join(' ')).toBe(events);
      const message = await latestMessage(world, to);
      expect(message).toMatchObject({ status, explain: { by: 'magic', id: `magic-${suffix}` } });
      expect(message.error?.channel_code ?? null).toBe(channelCode);
      expect((await world.get<Api['Message']>(`/v1/messages/${answer.body.message_id}`)).status).toBe(status);
    }
  });
});

it('07: every event twice, with the same id and the same bytes', async () => {
  const world = await stage(sandbox);
  await trySend(world, number('07'));
  await world.inbound(number('07'), { text: 'Hi' });
  await world.advance('1m');
  const requests = await received(world);
  expect(await world.events()).toHaveLength(4);
  expect(requests).toHaveLength(8);
  const ids = requests.map(({ headers }) => headers['x-service-event-id']);
  expect(ids.every((id) => ids.filter((other) => other === id).length === 2)).toBe(true);
  expect(new Set(requests.map(({ body }) => body)).size).toBe(4);
  expect(requests.every(({ signature_valid }) => signature_valid === true)).toBe(true);
});

describe('what the API answers', () => {
  it('30: a single send is refused, in a batch its entry alone', async () => {
    const world = await stage(sandbox);
    const single = await trySend(world, number('30'));
    expect([single.status, single.body.error.code]).toEqual([400, 'undeliverable']);
    expect(ruleOf(single)).toMatch(/^magic-30/);
    const others = Array.from({ length: 99 }, (_, i) => number('00', 201 + i));
    const batch = await trySend<Api['BatchResult']>(world, [number('30'), ...others]);
    expect(batch.body).toMatchObject({ recipient_count: 100, failed_count: 1 });
    expect(batch.body.results[0]).toMatchObject({ ok: false, error: { code: 'undeliverable', channel_code: 131026 } });
    expect((await sendOtp(world, number('30'))).status).toBe(400);
  });

  it.each([
    ['40', [429, 429, 200, 200], '2'],
    ['41', [503, 200, 200], null],
    ['42', [500, 500, 500], null],
  ] as const)('%s: %j', async (suffix, statuses, retryAfter) => {
    const world = await stage(sandbox);
    for (const expected of statuses) {
      const answer = await trySend(world, number(suffix));
      expect(answer.status).toBe(expected);
      expect(answer.headers.get('retry-after')).toBe(expected === 429 ? retryAfter : null);
      if (expected >= 400) expect(ruleOf(answer)).toMatch(new RegExp(`^magic-${suffix}`));
      else expect(ruleOf(answer)).toBeNull();
    }
    const otps: number[] = [];
    for (const _ of statuses) otps.push((await sendOtp(world, number(suffix))).status);
    expect(otps).toEqual(statuses);
    // Another number of the same behaviour has counts of its own.
    expect((await trySend(world, number(suffix, 212))).status).toBe(statuses[0]);
  });

  it('43: accepted, but the answer never comes, for 30 real seconds', async () => {
    const host = new ManualHost();
    const still = await startTestSandbox({ clock: frozen }, { hostTime: host });
    const world = await stage(still);
    const call = trySend(world, number('43'));
    const failed = expect(call).rejects.toThrow('fetch failed');
    await host.armed();
    expect(host.nextInMs).toBe(30_000);
    expect(await world.items('/_sandbox/messages')).toHaveLength(1);
    host.tick(30_000);
    await failed;
    const closed = still.close();
    host.tick(5000);
    await closed;
  });

  it('44: the connection is reset, and nothing was accepted', async () => {
    const world = await stage(sandbox);
    await expect(trySend(world, number('44'))).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    await expect(sendOtp(world, number('44'))).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(await world.items('/_sandbox/messages')).toEqual([]);
    expect(await world.items('/_sandbox/otps')).toEqual([]);
  });
});

describe('the window', () => {
  it('50: open from the start', async () => {
    const world = await stage(sandbox);
    expect((await text(world, number('50'))).status).toBe(200);
  });

  it('51: closed, even after an inbound message', async () => {
    const world = await stage(sandbox);
    await world.inbound(number('51'));
    const answer = await text(world, number('51'));
    expect([answer.status, answer.body.error.code, ruleOf(answer)]).toEqual([400, 'send_failed', 'magic-51']);
  });
});

describe('one-time codes', () => {
  const verify = (world: World, otpId: string, code: string) =>
    world.call<{ valid?: boolean; error?: { code: string } }>('POST', '/v1/otp/verify', { otp_id: otpId, code });

  it.each([4, 6, 8])('60: all zeros, %i of them', async (length) => {
    const world = await stage(sandbox);
    const { otp_id } = await world.post<Api['OtpSent']>('/v1/otp/send', { to: number('60'), length });
    expect((await verify(world, otp_id, '0'.repeat(length))).body).toEqual({ valid: true });
  });

  it('61: expires after 30 seconds', async () => {
    const world = await stage(sandbox);
    const { body } = await sendOtp(world, number('61'));
    expect(Date.parse(body.expires_at) - startMs).toBe(seconds(30));
    await world.advance('30s');
    expect((await verify(world, body.otp_id, '000000')).body.error?.code).toBe('otp_expired');
  });

  it('62: locked after one wrong code', async () => {
    const world = await stage(sandbox);
    const { body } = await sendOtp(world, number('62'));
    expect((await verify(world, body.otp_id, 'wrong')).body).toEqual({ valid: false, attempts_remaining: 0 });
    expect((await verify(world, body.otp_id, 'wrong')).body.error?.code).toBe('otp_max_attempts');
  });
});

describe('the customer answers after 30 seconds', () => {
  it.each([
    ['70', 'OK'],
    ['72', 'STOP'],
  ])('%s: %s', async (suffix, words) => {
    const world = await stage(sandbox);
    await trySend(world, number(suffix));
    await world.advance('29999ms');
    expect(await world.events('?type=message.received')).toEqual([]);
    await world.advance('1ms');
    expect(await world.events('?type=message.received')).toMatchObject([
      { data: { from: number(suffix), type: 'text', text: words } },
    ]);
    expect((await text(world, number(suffix))).status).toBe(200);
  });

  it('71: by tapping the first button', async () => {
    const world = await stage(sandbox);
    await world.inbound(number('71'));
    const buttons = [
      { id: 'a', title: 'First' },
      { id: 'b', title: 'Second' },
    ];
    const interactive = { body: 'Which?', buttons };
    await world.post('/v1/messages', { to: number('71'), type: 'interactive', interactive });
    await world.advance('30s');
    expect((await world.events('?type=message.received')).at(-1)?.data).toMatchObject({
      interactive: { id: 'a', title: 'First' },
    });
  });
});

it('80: its events are badly signed, those of others rightly', async () => {
  const world = await stage(sandbox);
  await trySend(world, [number('80'), number('00')]);
  await world.advance('1m');
  const judged = (await received(world)).map(({ json, signature_valid }) => [
    (json as { data: { to: string } }).data.to,
    signature_valid,
  ]);
  expect(judged.length).toBe(5);
  for (const [to, valid] of judged) expect(valid).toBe(to === number('00'));
});

describe('template names', () => {
  it.each([
    ['promo_reject', '7199999ms', 'rejected'],
    ['promo_slow', '86399999ms', 'approved'],
    ['promo_never', '365d', 'pending'],
  ])('%s', async (name, before, status) => {
    const world = await stage(sandbox);
    const created = await world.call<{ template_id: string }>('POST', '/v1/templates', {
      name,
      category: 'marketing',
      language: 'en',
      body: 'Hi',
    });
    expect(ruleOf(created)).toBe(`magic-${name.replace('promo_', '')}`);
    const lookup = () => world.get<Api['Template']>(`/v1/templates/${created.body.template_id}`);
    await world.advance(before);
    expect((await lookup()).status).toBe('pending');
    await world.advance('1ms');
    expect((await lookup()).status).toBe(status);
  });
});

it('other numbers, and endings beyond the table, have no magic', async () => {
  const world = await stage(sandbox);
  for (const to of [number('10'), '+14155551142', '+4915155550142', '+11155550142']) {
    const answer = await trySend(world, to);
    expect([answer.status, ruleOf(answer)]).toEqual([200, null]);
  }
  expect(historyOf(await latestMessage(world, number('10')))[0]).toEqual(['accepted', 0]);
});
