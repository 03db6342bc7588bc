/** What a refusal repeats of a name that is far too long: how it begins. */
import { describe, expect } from 'vitest';
import { newWorld } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox, it } = useSandbox();

describe('a name without end', () => {
  const endless = `${'n'.repeat(99)}💥${'n'.repeat(100_000)}`;
  const to = '+12025550101';
  const inPath = 'n'.repeat(5000);
  const template = { name: endless, language: 'en' };
  it.each([
    ['POST /v1/otp/verify', '', { otp_id: endless, code: '1' }],
    ['POST /v1/messages', '', { to, type: 'template', template }],
    ['GET /v1/messages/', inPath, undefined],
  ] as const)('is not repeated by %s', async (target, id, body) => {
    const [method = '', path = ''] = target.split(' ');
    const answer = await newWorld(sandbox).call(method, path + id, body);
    expect(answer.status).toBe(404);
    expect(answer.body.error.message).toMatch(/ "?n{99}…/);
  });

  it('nor in the entry of a batch, which names the recipient itself', async ({ world }) => {
    await world.put('/_sandbox/clock', { mode: 'frozen' });
    await world.template('hello');
    expect(JSON.stringify((await world.send([endless], 'hello')).results[0])).toContain(
      `\\"${'n'.repeat(99)}…\\" is not an E.164 number`,
    );
  });
});
