/** A dialect gives each code of the service its status, also when a magic number causes the error. */
import { expect } from 'vitest';
import { dialectOf } from '../../src/dialect/index.js';
import { useSandbox } from '../support/sandbox.js';

const status = { rate_limited: 420, internal_error: 599, service_unavailable: 555, undeliverable: 422 };
const { it } = useSandbox({ dialect: dialectOf({ errors: { status } }) });

it.for([
  ['40', 'rate_limited'],
  ['41', 'service_unavailable'],
  ['42', 'internal_error'],
  ['30', 'undeliverable'],
] as const)('of magic number %s, for sends and one-time codes', async ([suffix, code], { world }) => {
  const to = `+120255501${suffix}`;
  await world.template('login', { category: 'authentication', body: undefined });
  await world.call('PUT', `/_sandbox/customers/${encodeURIComponent(to)}/window`, { open: true });
  const sent = await world.call('POST', '/v1/messages', { to, type: 'text', text: 'Hi' });
  const otp = await world.call('POST', '/v1/otp/send', { to });
  for (const { status: found, body } of [sent, otp]) {
    expect([found, body.error.code]).toEqual([status[code], code]);
    expect(body.error.message).not.toMatch(/ (?:400|429|500|503) /);
  }
});
