import { describe, expect, it } from 'vitest';
import { otpCode } from '../../src/scenario/engine/compile-slots.js';
import type { Decision } from '../../src/scenario/engine/effects.js';
import {
  magicFor,
  magicNumbers,
  magicRules,
  magicTemplateFor,
  magicTemplates,
} from '../../src/scenario/engine/magic-numbers.js';
import type { Hook } from '../../src/scenario/language/hooks.js';
import { memoryCounters, queryOf } from './fixtures.js';

const counters = memoryCounters();
function decide(hook: Hook, to: string, own = memoryCounters()): Decision {
  const facts = { to };
  return magicRules(facts)?.decide(queryOf(hook, facts, { counters: own })) ?? {};
}
const plan = (nn: string) =>
  decide('message.send', `+120255501${nn}`).lifecycle?.effect.map(({ status, offsetMs, error }) =>
    error === undefined ? `${status} ${offsetMs}` : `${status} ${offsetMs} ${error.channelCode}`,
  );

describe('magic numbers', () => {
  it('are the 26 of the contract', () => {
    const suffixes = '00 01 03 04 05 06 07 09 20 21 25 30 40 41 42 43 44 50 51 60 61 62 70 71 72 80'.split(' ');
    expect(magicNumbers.map(({ suffix }) => suffix)).toEqual(suffixes);
    expect(new Set(magicNumbers.map(({ name }) => name)).size).toBe(26);
    for (const { description } of [...magicNumbers, ...magicTemplates]) expect(description).toMatch(/\.$/);
  });

  it.each([
    ['+12025550142', '42'],
    ['+14155550100', '00'],
    ['+19995550180', '80'],
  ])('%s is magic', (phone, suffix) => {
    expect(magicFor(phone)?.suffix).toBe(suffix);
  });

  it.each(['+12025550199', '+12025550242', '+11025550142', '+442025550142', '+120255501420', '12025550142', ''])(
    '%s is ordinary',
    (phone) => {
      expect(magicFor(phone)).toBeNull();
    },
  );

  it.each([
    ['00', ['sent 0', 'delivered 300']],
    ['01', ['sent 0', 'delivered 300', 'read 1000']],
    ['03', ['sent 0', 'delivered 600000', 'read 660000']],
    ['04', ['sent 0', 'delivered 90000000']],
    ['05', ['delivered 300']],
    ['06', ['sent 0', 'read 1000', 'delivered 2000']],
    ['09', ['sent 0']],
    ['20', ['failed 0 131026']],
    ['21', ['sent 0', 'failed 3000 131049']],
    ['25', ['failed 0 131053']],
  ])('%s: %j', (nn, expected) => {
    expect(plan(nn)).toEqual(expected);
  });

  it('40: 429 with Retry-After 2 on the first 2 sends of each number, then fine', () => {
    const own = memoryCounters();
    const ask = (to: string) => decide('message.send', to, own).respond?.effect;
    expect(ask('+12025550140')).toMatchObject({ status: 429, retryAfterMs: 2000, accept: false });
    expect(ask('+12025550140')?.status).toBe(429);
    expect(ask('+12025550140')).toBeUndefined();
    expect(ask('+14155550140')?.status).toBe(429);
    expect(decide('otp.send', '+12025550140', own).respond?.effect.status).toBe(429);
  });

  it('41 to 44', () => {
    const own = memoryCounters();
    const ask = (nn: string) => decide('message.send', `+120255501${nn}`, own).respond?.effect;
    expect([ask('41')?.status, ask('41')]).toEqual([503, undefined]);
    expect([ask('42')?.status, ask('42')?.status]).toEqual([500, 500]);
    expect(ask('43')).toMatchObject({ faultReal: 'hang', latencyRealMs: 30_000, accept: true });
    expect(ask('44')).toMatchObject({ faultReal: 'reset', accept: false });
  });

  it('30, 50 and 51, 70 to 72', () => {
    expect(decide('message.send', '+12025550130').refuse?.effect).toMatchObject({
      code: 'undeliverable',
      channelCode: 131026,
    });
    expect(decide('message.send', '+12025550150').window?.effect).toBe('open');
    expect(decide('message.send', '+12025550151').window?.effect).toBe('closed');
    expect(decide('message.send', '+12025550170').inbound?.effect).toEqual({ afterMs: 30_000, text: 'OK' });
    expect(decide('message.send', '+12025550171').inbound?.effect).toEqual({ afterMs: 30_000, button: 1 });
    expect(decide('message.send', '+12025550172').inbound?.effect).toEqual({ afterMs: 30_000, text: 'STOP' });
  });

  it('60 to 62', () => {
    expect(otpCode(decide('otp.send', '+12025550160').otp?.effect, 4)).toBe('0000');
    expect(otpCode(decide('otp.send', '+12025550160').otp?.effect, 8)).toBe('00000000');
    expect(decide('otp.send', '+12025550161').otp?.effect).toEqual({ expiresMs: 30_000 });
    expect(decide('otp.send', '+12025550162').otp?.effect).toEqual({ attempts: 1 });
  });

  it('07 and 80 act on deliveries', () => {
    expect(decide('webhook.deliver', '+12025550107').webhook?.effect.duplicate).toBe(1);
    expect(decide('webhook.deliver', '+12025550180').webhook?.effect.signature).toBe('wrong_secret');
  });

  it('explains itself', () => {
    expect(decide('message.send', '+12025550142').respond?.explain).toEqual({
      by: 'magic',
      id: 'magic-42',
      text: 'API 500 on every send.',
    });
  });
});

describe('magic template names', () => {
  it.each([
    ['promo_reject', { decision: 'rejected', afterMs: 7_200_000 }],
    ['promo_slow', { decision: 'approved', afterMs: 86_400_000 }],
    ['promo_never', { decision: 'never' }],
  ])('%s', (name, effect) => {
    const facts = { name };
    expect(magicRules(facts)?.decide(queryOf('template.review', facts, { counters })).review?.effect).toMatchObject(
      effect,
    );
  });

  it.each(['reject', 'promo_rejected', 'slow_promo'])('%s is ordinary', (name) => {
    expect(magicTemplateFor(name)).toBeNull();
  });
});
