/** The data that a timeline emits: refused with its place, where an event on demand with the same data is refused. */
import { describe, expect, it } from 'vitest';
import { newWorld } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';

describe('with the same data', () => {
  const { sandbox } = useSandbox();

  it.each([
    ['message.status', { status: 'bogus' }, 'wrong_data'],
    ['message.status', { status: 'failed', error: null }, null],
    ['message.status', { staus: 'read' }, null],
    ['message.received', { type: 'interactive', interactive: { id: 'a' } }, 'missing_key'],
    ['message.received', { from: '+12025550110', profile_name: null }, 'wrong_data'],
    ['template.status', { rejection_reason: null, language: 'pt-BR' }, null],
    ['otp.verified', { verified_at: '2026-03-01' }, 'wrong_data'],
  ])('a step of a timeline and an event on demand come to one verdict: %s %j', async (type, data, code) => {
    const world = newWorld(sandbox);
    const scenario = { version: 1, timeline: [{ at: '+1m', emit: { type, data } }] };
    const checked = await world.call('POST', '/_sandbox/scenarios/check', scenario);
    expect(checked).toMatchObject(
      code === null ? { status: 200 } : { status: 400, body: { error: { details: [{ code }] } } },
    );
    const { status } = await world.call('POST', '/_sandbox/events', { type, data });
    expect(status).toBe(code === null ? 200 : 400);
  });
});
