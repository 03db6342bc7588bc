/** Every list and every wait filters by what its items show. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Control, newWorld, type World } from '../support/client.js';
import { useCheckedSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

const to = '+12025550110';

let world: World;
const { sandbox } = useCheckedSandbox({ clock: frozen });
beforeAll(async () => {
  world = newWorld(sandbox);
  await world.put('/_sandbox/sink/app', { respond: [{ status: 500, times: 1 }] });
  await world.register('https://sink.sandbox/app', ['message.received', 'message.status']);
  await world.inbound(to, { text: 'Where is it?', profile_name: 'Ada' });
  await world.reply(to, 'On its way');
  await world.template('parcel_left', { language: 'pt_BR' });
  await world.call('POST', '/v1/messages', { to: '+12025550142', type: 'text', text: 'x' });
  await world.template('login', { category: 'authentication', body: undefined });
  await world.post('/v1/otp/send', { to });
  await world.advance('500ms');
});

describe('a filter', () => {
  it.each([
    ['messages?direction=inbound', 1],
    ['messages?direction=inbound&from=%2B12025550110&text=Where*', 1],
    ['messages?direction=inbound&from=12025550111', 0],
    ['messages?direction=outbound', 1],
    ['messages?text=On its way&status=delivered', 1],
    ['messages?to=+12025550110&type=text&status=delivered', 1],
    ['messages?to=12025550110&type=image', 0],
    ['messages?status=sent,delivered&type=image,text', 1],
    ['messages?direction=inbound,outbound&type=text', 2],
    ['messages?search=WAY', 1],
    ['messages?search=ada', 1],
    ['messages?search=1 (202) 555-0110', 1],
    ['messages?search=nowhere', 0],
    ['events?search=where is', 1],
    ['deliveries?search=WHERE is&state=retrying', 1],
    ['requests?search=5550142', 1],
    ['otps?search=0110', 1],
    ['templates?search=parcel', 1],
    ['customers?search=ada', 1],
    ['customers/+12025550110/messages?direction=inbound', 1],
    ['events?type=message.status&status=delivered&to=%2B12025550110', 1],
    ['events?type=message.status&status=read', 0],
    ['events?from=12025550110', 1],
    ['events?name=parcel_*&language=PT-br', 1],
    ['events?data.type=text', 3],
    ['events?data.status=delivered&data.to=12025550110', 1],
    ['events?data.profile_name=A*', 1],
    ['deliveries?status=500', 1],
    ['deliveries?status=5xx&event_type=message.received', 1],
    ['deliveries?to=12025550110&state=delivered', 2],
    ['requests?operation=sendMessage&status=500', 1],
    ['requests?operation=message.send&to=%2B12025550142', 1],
    ['requests?error=internal_error', 1],
    ['requests?operation=otp.send', 1],
    ['requests?path=/v1/*t*/send', 1],
    ['requests?status=4xx', 0],
    ['requests?path=/v1/otp', 0],
    ['requests?status=2xx&method=POST&operation=template.create', 2],
    ['deliveries?event=message.status&event_type=otp.verified', 0],
    ['otps?state=active&template=login', 1],
    ['otps?state=verified', 0],
    ['otps?to=%2B12025550110', 1],
    ['otps?to=12025550111', 0],
    ['templates?language=pt-br', 1],
    ['templates?category=authentication&status=approved', 1],
    ['webhooks?events=message.received&status=active', 1],
    ['customers?open=true&profile_name=Ada', 1],
    ['sink/app/received?answered=500&signature_valid=true', 1],
    ['clock/jobs?job=delivery.attempt', 1],
    ['scenarios?name=flaky-*&valid=true', 1],
  ])('of %s finds %i', async (path, size) => {
    expect(await world.items(`/_sandbox/${path}`)).toHaveLength(size);
  });

  it('counts, too', async () => {
    expect(await world.get('/_sandbox/requests/count?operation=sendMessage&status=500')).toEqual({ count: 1 });
    const byStatus = { accepted: 0, sent: 0, delivered: 1, read: 0, failed: 0, received: 0 };
    expect(await world.get('/_sandbox/messages/count?search=0110')).toEqual({ count: 1, by_status: byStatus });
    const { count, by_state: byState } = await world.get<Control['DeliveryCount']>('/_sandbox/deliveries/count');
    expect(Object.values(byState).reduce((sum, each) => sum + each, 0)).toBe(count);
    expect(await world.get('/_sandbox/deliveries/count?state=held')).toMatchObject({ count: 0 });
  });

  it.each([
    ['requests?operation=sendMesage', 'operation', /must be one of sendMessage, .*did you mean sendMessage\?/],
    ['requests/count?operation=sendMesage', 'operation', /did you mean sendMessage\?/],
    [
      'messages?direction=inbond',
      'direction',
      /must be one of inbound, outbound, or several with commas; .*did you mean inbound\?/,
    ],
    ['messages?statu=sent', 'statu', /did you mean status\?/],
    ['events?status=deliverd', 'status', /did you mean delivered\?/],
    ['deliveries?state=deliverd', 'state', /did you mean delivered\?/],
    ['deliveries?status=600', 'status', /404, or a class such as 4xx/],
    ['wait?for=event&status=deliverd&timeout=0s', 'status', /must be one of sent, .*delivered\?/],
    ['wait?for=request&operation=sendMesage&timeout=0s', 'operation', /did you mean sendMessage\?/],
    [
      'wait?for=otp&direction=inbound&timeout=0s',
      'direction',
      /is not a query parameter of GET \/_sandbox\/otps, which takes otp_id, to/,
    ],
  ])('of %s is refused', async (path, field, message) => {
    const { status, body } = await world.call('GET', `/_sandbox/${path}`);
    expect([status, body.error.code]).toEqual([400, 'validation_error']);
    expect(body.error.details?.map((detail) => detail.field)).toEqual([field]);
    expect(body.error.message).toMatch(message);
  });

  it('of a wait is that of its list, and misses name their fields', async () => {
    const found = await world.get<{ items: { data: object }[] }>(
      '/_sandbox/wait?for=event&type=message.status&status=delivered&to=%2B12025550110&timeout=0s',
    );
    expect(found.items.map(({ data }) => data)).toMatchObject([{ status: 'delivered', to }]);
    const missed = await world.call(
      'GET',
      '/_sandbox/wait?for=event&type=message.status&status=read&to=%2B12025550110&timeout=0s',
    );
    expect(missed.body.error.near_misses?.[0]?.differs).toEqual([
      { field: 'status', expected: 'read', found: 'delivered' },
    ]);
  });
});
