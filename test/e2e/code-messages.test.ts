/** A code travels as a message on the channel: late, undelivered or blocked, and without events of its own. */
import { describe, expect, it } from 'vitest';
import { newWorld, type Control, type World } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

const { sandbox } = useSandbox({ clock: frozen });

async function sendCode(to: string, rules: object[] = [], headers = {}): Promise<World> {
  const world = newWorld(sandbox);
  await world.template('login', { category: 'authentication', body: undefined });
  for (const rule of rules) await world.post('/_sandbox/rules', rule);
  const answer = await world.call<{ status: string }>('POST', '/v1/otp/send', { to }, headers);
  expect(answer).toMatchObject({ status: 200, body: { status: 'sent' } });
  return world;
}

/** The states of the latest message on the handset, each with its offset in milliseconds. */
async function ticks(world: World, to: string): Promise<[string, number][]> {
  const [message] = await world.items<Control['HandsetMessage']>(`/_sandbox/customers/${to}/messages?order=desc`);
  const start = Date.parse(message?.created_at ?? '');
  return (message?.history ?? []).map(({ status, at }) => [status, Date.parse(at) - start]);
}

describe('the message that carries a code', () => {
  it('is sent, delivered and read, and fires no event', async () => {
    const to = '+12025550110';
    const world = await sendCode(to);
    expect(await ticks(world, to)).toEqual([
      ['accepted', 0],
      ['sent', 0],
    ]);
    await world.advance('2s');
    expect(await ticks(world, to)).toEqual([
      ['accepted', 0],
      ['sent', 0],
      ['delivered', 300],
      ['read', 1000],
    ]);
    expect(await world.events('?type=message.status')).toEqual([]);
  });

  it('takes the lifecycle of a rule and of the header', async () => {
    const to = '+12025550110';
    const rule = { when: 'otp.send', then: { lifecycle: [{ sent: '1m' }, { failed: '2m', error: 131049 }] } };
    const late = await sendCode(to, [rule]);
    await late.advance('1h');
    expect(await ticks(late, to)).toEqual([
      ['accepted', 0],
      ['sent', 60_000],
      ['failed', 120_000],
    ]);
    const blocked = await sendCode(to, [], { 'X-Sandbox-Prefer': 'lifecycle=blocked' });
    await blocked.advance('1h');
    expect((await ticks(blocked, to)).map(([status]) => status)).toEqual(['accepted', 'sent', 'failed']);
  });
});
