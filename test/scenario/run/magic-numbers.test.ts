import { expect, it } from 'vitest';
import { defaultDialect } from '../../../src/dialect/index.js';
import { newWorld, type Control, type World } from '../../support/client.js';
import { closing } from '../../support/closing.js';
import { startTestSandbox, useSandbox } from '../../support/sandbox.js';
import { frozen, stage, trySend } from '../../support/scenes.js';
import { playStory, storiesOf } from './stories.js';

const { sandbox } = useSandbox({ clock: frozen });

/** The number of a behaviour, in some area code. */
const number = (suffix: string, area = 415) => `+1${area}55501${suffix}`;
const received = (world: World) => world.items<Control['SinkRequest']>('/_sandbox/sink/app/received');

it('all of them are listed at /_sandbox/info', async () => {
  const info = await (await stage(sandbox)).get<Control['Info']>('/_sandbox/info');
  const suffixes = '00 01 03 04 05 06 07 09 20 21 25 30 40 41 42 43 44 50 51 60 61 62 70 71 72 80';
  expect(info.magic_numbers.map(({ suffix }) => suffix).join(' ')).toBe(suffixes);
  expect(info.magic_templates.map(({ suffix }) => suffix)).toEqual(['_reject', '_slow', '_never']);
});

it.each<[string, string, string, number?]>([
  ['00', 'sent 0s, delivered 300ms', 'delivered'],
  ['01', 'sent 0s, delivered 300ms, read 1s', 'read'],
  ['03', 'sent 0s, delivered 10m, read 11m', 'read'],
  ['04', 'sent 0s, delivered 1d1h', 'delivered'],
  ['05', 'delivered 300ms', 'delivered'],
  ['06', 'sent 0s, read 1s, delivered 2s', 'read'],
  ['09', 'sent 0s', 'sent'],
  ['20', 'failed 0s', 'failed', 131026],
  ['21', 'sent 0s, failed 3s', 'failed', 131049],
  ['25', 'failed 0s', 'failed', 131053],
])('%s: %s, in the end %s', async (suffix, events, status, channelCode) => {
  for (const area of [201, 989]) {
    await playStory(sandbox, [
      `send ${number(suffix, area)} ⇒ 200 magic-${suffix} | told status ⇒ accepted | +72h | events message.status ⇒ ${events}`,
      `see _sandbox/messages status error.channel_code ⇒ ${status} ${channelCode ?? '-'} | see v1/messages/$id status ⇒ ${status}`,
      `see _sandbox/messages explain.by explain.id ⇒ magic magic-${suffix}`,
    ]);
  }
});

it.each(
  storiesOf(String.raw`
40: 429 twice, for messages and codes, by number
  send +14155550140*4 ⇒ 429 after 2 rate_limited magic-40 x2, 200 x2
  code +14155550140*4 ⇒ 429 after 2 rate_limited magic-40 x2, 200 x2
  send +12125550140 ⇒ 429 after 2 rate_limited magic-40
41: 503 once
  send +14155550141*3 ⇒ 503 service_unavailable magic-41, 200 x2
  code +14155550141*3 ⇒ 503 service_unavailable magic-41, 200 x2 | send +12125550141 ⇒ 503 service_unavailable magic-41
42: 500 always
  send +14155550142*3 ⇒ 500 internal_error magic-42 x3 | code +14155550142*3 ⇒ 500 internal_error magic-42 x3
  send +12125550142 ⇒ 500 internal_error magic-42
50: the window is open from the start
  text +14155550150 ⇒ 200 magic-50
51: the window is closed, even after an inbound message
  says +14155550151 Hi | text +14155550151 ⇒ 400 send_failed magic-51
60: a code of zeros, as many as requested
  call POST /v1/otp/send { to: "+14155550160", length: 4 } ⇒ 200 magic-60 | see _sandbox/otps/$id code ⇒ 0000
  call POST /v1/otp/verify { otp_id: $id, code: "0000" } ⇒ 200 true
  call POST /v1/otp/send { to: "+14155550160", length: 8 } ⇒ 200 magic-60
  call POST /v1/otp/verify { otp_id: $id, code: "00000000" } ⇒ 200 true
61: a code expires after 30 seconds
  code +14155550161 ⇒ 200 magic-61 | told expires_at ⇒ 2026-03-01T09:00:30.000Z | +30s
  call POST /v1/otp/verify { otp_id: $id, code: "000000" } ⇒ 410 otp_expired magic-61
62: a code is locked after one wrong one
  code +14155550162 ⇒ 200 magic-62 | call POST /v1/otp/verify { otp_id: $id, code: wrong } ⇒ 200 false magic-62
  told attempts_remaining ⇒ 0
  call POST /v1/otp/verify { otp_id: $id, code: wrong } ⇒ 429 otp_max_attempts magic-62
70: the customer replies OK after 30 seconds
  send +14155550170 ⇒ 200 magic-70 | +29999ms | events message.received ⇒ nothing | +1ms
  events message.received ⇒ OK 30s
  see _sandbox/events?type=message.received data.from data.type ⇒ +14155550170 text | text +14155550170 ⇒ 200 magic-70
71: the customer taps the first button
  says +14155550171 Hi
  call POST /v1/messages { to: "+14155550171", type: interactive, interactive: { body: Which?, buttons: [{ id: a, title: First }, { id: b, title: Second }] } } ⇒ 200 magic-71
  +30s | see _sandbox/events?type=message.received data.interactive ⇒ -, {"id":"a","title":"First"}
72: the customer replies STOP
  send +14155550172 ⇒ 200 magic-72 | +30s | events message.received ⇒ STOP 30s
_reject: rejected after two hours
  submit promo_reject ⇒ 200 magic-reject | +7199999ms | see v1/templates/$id status ⇒ pending | +1ms
  see v1/templates/$id status ⇒ rejected
_slow: approved after a day
  submit promo_slow ⇒ 200 magic-slow | +86399999ms | see v1/templates/$id status ⇒ pending | +1ms
  see v1/templates/$id status ⇒ approved
_never: pending
  submit promo_never ⇒ 200 magic-never | +365d | see v1/templates/$id status ⇒ pending
names that only contain a magic word
  submit promo_rejected slow_promo ⇒ 200 x2 | +1s | see _sandbox/templates name status ⇒ order_shipped approved, login approved, promo_rejected approved, slow_promo approved
other numbers, and endings beyond the table, have no magic
  send +14155550110 +14155551142 +4915155550142 +11155550142 +12025550199 +12025550242 +22025550142 +120255501420 ⇒ 200 x8 | history +14155550110 ⇒ accepted 0s, sent 0s
`),
)('%s', (_name, lines) => playStory(sandbox, lines));

it('all of them work on a clock that is set before the account was made', async () => {
  const world = newWorld(sandbox);
  await world.put('/_sandbox/clock', { now: '2020-01-01T09:00:00Z' });
  const text = async (to: string) => {
    await world.inbound(to);
    return (await world.call('POST', '/v1/messages', { to, type: 'text', text: 'Hi' })).status;
  };
  expect([await text(number('40')), await text(number('21'))]).toEqual([429, 200]);
  await world.post('/v1/templates', { name: 'promo_never', category: 'marketing', language: 'en', body: 'Hi' });
  await world.advance('1d');
  expect(await world.items('/_sandbox/messages')).toMatchObject([{ status: 'failed' }]);
  expect(await world.items('/_sandbox/templates')).toMatchObject([{ status: 'pending' }]);
});

it('40 and 42 are answered with the statuses of the dialect', async () => {
  const errors = { ...defaultDialect.errors, status: { rate_limited: 420, internal_error: 502 } };
  const other = closing(await startTestSandbox({ clock: frozen, dialect: { ...defaultDialect, errors } }));
  await playStory(other, [
    `send ${number('40')} ⇒ 420 after 2 rate_limited magic-40`,
    `send ${number('42')} ⇒ 502 internal_error magic-42`,
  ]);
});

it('30: a single send is refused, in a batch its entry alone', async () => {
  const others = Array.from({ length: 99 }, (_, i) => number('00', 201 + i)).join(' ');
  const entries = `undeliverable${' ok'.repeat(99)}`;
  await playStory(sandbox, [
    'send +14155550130 ⇒ 400 undeliverable magic-30 | code +14155550130 ⇒ 400 undeliverable magic-30',
    `batch +14155550130 ${others} ⇒ 200 ${entries} magic-30`,
    'told recipient_count failed_count results.0.error.channel_code ⇒ 100 1 131026',
  ]);
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

it('44: the connection is reset, and nothing was accepted', async () => {
  const world = await stage(sandbox);
  await expect(trySend(world, number('44'))).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  await expect(world.call('POST', '/v1/otp/send', { to: number('44') })).rejects.toMatchObject({
    cause: { code: 'ECONNRESET' },
  });
  expect(await world.items('/_sandbox/messages')).toEqual([]);
  expect(await world.items('/_sandbox/otps')).toEqual([]);
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
