/** Dates that do not exist, and the end of account time: refused or stopped at, never a timestamp that nobody can read. */
import { describe, expect } from 'vitest';
import { endOfTimeMs } from '../../src/time/account-clock.js';
import { newWorld } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

const { sandbox, it } = useSandbox({ clock: frozen });

const end = new Date(endOfTimeMs).toISOString();

describe('an instant', () => {
  it.each([
    '2026-99-99T99:99:99Z',
    '2026-02-30T00:00:00Z',
    '2026-04-31T12:00:00+02:00',
    '2027-02-29T00:00:00Z',
    '2026-02-01T24:30:00Z',
    '0000-01-01T00:00:00+12:00',
    '9999-12-31T23:59:59-12:00',
  ])('such as %s is refused wherever one is taken', async (given) => {
    const world = newWorld(sandbox);
    const calls: [string, string, string][] = [
      ['PUT', '/_sandbox/clock', 'now'],
      ['POST', '/_sandbox/clock/advance', 'to'],
      ['PUT', '/_sandbox/customers/+12025550110/window', 'closes_at'],
    ];
    for (const [method, path, field] of calls) {
      const { status, body } = await world.call(method, path, { [field]: given });
      expect([path, status, body.error.details?.[0]?.field]).toEqual([path, 400, field]);
      expect(body.error.message).toContain(given);
    }
    const scenario = { version: 1, clock: given };
    const { status, body } = await world.call('PUT', '/_sandbox/scenario', scenario);
    expect([status, body.error.code]).toEqual([400, 'scenario_invalid']);
  });

  it('of a leap day is taken, and so is one with an offset that lies on another day in UTC', async ({ world }) => {
    expect(await world.put('/_sandbox/clock', { now: '2028-02-29T23:30:00-01:00' })).toMatchObject({
      now: '2028-03-01T00:30:00.000Z',
    });
  });
});

describe('account time', () => {
  it('ends where everything that follows from now can still be written down', async ({ world }) => {
    await world.put('/_sandbox/clock', { now: end });
    await world.template('login_code', { category: 'authentication', body: undefined });
    await world.text();
    await world.post('/v1/otp/send', { to: '+12025550110', expiry_seconds: 86_400 });
    await world.get('/_sandbox/otps');
    for (const step of [{ until: 'next' }, { until: 'idle' }]) await world.post('/_sandbox/clock/advance', step);
    expect((await world.clock()).now).toBe(end);
    const further = await world.call('POST', '/_sandbox/clock/advance', { by: '1ms' });
    expect([further.status, further.body.error.details?.[0]?.field]).toEqual([400, 'by']);
  });

  it('stands still there, however the clock runs', async ({ world }) => {
    await world.put('/_sandbox/clock', { now: end });
    for (const mode of [{ mode: 'real' }, { mode: 'scaled', scale: 1_000_000 }, { mode: 'auto' }]) {
      await world.put('/_sandbox/clock', mode);
      expect((await world.clock()).now).toBe(end);
    }
  });
});
