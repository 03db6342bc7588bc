import { expect, it } from 'vitest';
import type { Slots } from '../../../src/scenario/language/slots.js';
import { newWorld, type Api, type Control, type World } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { at, frozen, ruleOf, stage } from '../../support/scenes.js';

const to = '+12025550110';

const { sandbox } = useSandbox({ clock: frozen });

const sending = (otp: NonNullable<Slots['otp']>) =>
  stage(sandbox, [{ id: 'codes', when: 'otp.send', match: { to }, then: { otp } }]);

const send = (world: World, more: object = {}) => world.call<Api['OtpSent']>('POST', '/v1/otp/send', { to, ...more });
const verify = (world: World, otpId: string, code: string) =>
  world.call<{ valid?: boolean; attempts_remaining?: number; error?: { code: string } }>('POST', '/v1/otp/verify', {
    otp_id: otpId,
    code,
  });
const shown = (world: World, id: string) => world.get<Control['Otp']>(`/_sandbox/otps/${id}`);

it('a fixed code, its leading zero included, on the handset too', async () => {
  const world = await sending({ code: '042042' });
  const { body, headers } = await send(world);
  expect(ruleOf({ headers })).toBe('codes');
  expect(await shown(world, body.otp_id)).toMatchObject({ code: '042042', explain: { by: 'rule', id: 'codes' } });
  const handset = await world.items<{ text: string }>(`/_sandbox/customers/${to}/messages`);
  expect(handset.at(-1)?.text).toContain('042042');
  expect((await verify(world, body.otp_id, '042042')).body).toEqual({ valid: true });
});

it('is cut to the length asked for', async () => {
  const world = await sending({ code: '12345678' });
  const { body } = await send(world, { length: 4 });
  expect((await shown(world, body.otp_id)).code).toBe('1234');
});

it('expires when the rule says, whatever was asked for', async () => {
  const world = await sending({ code: '042042', expires: '30s' });
  const { body } = await send(world, { expiry_seconds: 600 });
  expect(body.expires_at).toBe(at(30_000));
  await world.advance('29999ms');
  expect((await verify(world, body.otp_id, '000000')).body).toMatchObject({ valid: false });
  await world.advance('1ms');
  const expired = await verify(world, body.otp_id, '042042');
  expect([expired.status, expired.body.error?.code]).toEqual([410, 'otp_expired']);
});

it('locks after as many wrong codes as the rule says', async () => {
  const world = await sending({ code: '042042', attempts: 2 });
  const { body } = await send(world);
  expect((await verify(world, body.otp_id, '000000')).body).toEqual({ valid: false, attempts_remaining: 1 });
  expect((await verify(world, body.otp_id, '000000')).body).toEqual({ valid: false, attempts_remaining: 0 });
  const locked = await verify(world, body.otp_id, '042042');
  expect([locked.status, locked.body.error?.code]).toEqual([429, 'otp_max_attempts']);
});

it('matches by length and template', async () => {
  const world = await stage(sandbox, [
    { id: 'eight', when: 'otp.send', match: { length: '8' }, then: { otp: { code: '00000000' } } },
    { id: 'by-name', when: 'otp.send', match: { template: 'log*' }, then: { otp: { code: '7777' } } },
  ]);
  expect(ruleOf(await send(world, { length: 8 }))).toBe('eight');
  expect(ruleOf(await send(world, { length: 4, template: 'login' }))).toBe('by-name');
});

it('the shipped trouble strikes each of its customers, whoever asks first', async () => {
  const [ada, bob] = ['+12025550115', '+12025550116'];
  for (const order of [
    [ada, bob, ada, ada],
    [bob, ada, ada, ada],
    [ada, ada, ada, bob],
  ]) {
    const world = newWorld(sandbox);
    await world.put('/_sandbox/scenario', { name: 'otp-trouble' });
    const sent: Record<string, unknown[]> = { [ada]: [], [bob]: [] };
    for (const customer of order) {
      const { status, body } = await send(world, { to: customer });
      const planned = status === 200 ? await shown(world, body.otp_id) : null;
      sent[customer]?.push(planned ? [planned.explain.id, planned.attempts_remaining] : status);
    }
    expect(sent, order.join()).toEqual({
      [ada]: [['expires-early', 5], 503, ['leading-zero', 5]],
      [bob]: [['locks-early', 2]],
    });
  }
});
