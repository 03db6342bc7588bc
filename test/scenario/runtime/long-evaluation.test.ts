/** An evaluation that takes long does not keep other calls waiting, and counts what was there at its time. */
import { expect, it } from 'vitest';
import { newWorld, type Control, type World } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { frozen, play } from '../../support/scenes.js';

const to = '+12025550110';
const { sandbox } = useSandbox({ clock: frozen });

/** The letters a and b without a pattern, for which an expression has the most work. */
function longText(i: number): string {
  return Array.from({ length: 4_000 }, (_, k) => 'ab'[(Math.imul(k + i * 7919, 2654435761) >>> 13) & 1]).join('');
}

/** Each takes some hundredths of a second: an expression of the largest size on a long text. */
async function withLongTexts(at: string): Promise<World> {
  const world = newWorld(sandbox);
  const where = { direction: 'outbound', text: '/a[ab]{400}[cd]$/' };
  await play(world, { defaults: { window: 'open' }, expect: [{ at, that: 'messages', where, count: 0 }] });
  for (let i = 0; i < 25; i += 1) {
    await world.post('/v1/messages', { to, type: 'text', text: longText(i) });
  }
  return world;
}

/** Makes the call, and then others one after another; returns how many of these came back before it. */
async function servedDuring(world: World, call: () => Promise<unknown>): Promise<number> {
  const long = { isOver: false };
  const done = call().finally(() => (long.isOver = true));
  let served = 0;
  while (!long.isOver) {
    await world.get('/_sandbox/clock');
    served += 1;
  }
  await done;
  return served;
}

it('serves others during a verdict', async () => {
  const world = await withLongTexts('finish');
  expect(await servedDuring(world, () => world.get('/_sandbox/verdict'))).toBeGreaterThan(2);
});

it('serves others during an evaluation at its time, for which the advance waits', async () => {
  const world = await withLongTexts('1h');
  const late = { to, type: 'text', text: 'later' };
  let sent = false;
  const served = await servedDuring(world, async () => {
    const advance = world.advance('1h');
    await world.post('/v1/messages', late).then(() => (sent = true));
    await advance;
  });
  expect([served > 2, sent]).toEqual([true, true]);
  const verdict = await world.get<Control['Verdict']>('/_sandbox/verdict');
  expect(verdict).toMatchObject({ passed: true, checks: [{ passed: true, found: '0 found' }] });
});

it('ends without a trace when the account is reset meanwhile', async () => {
  const world = await withLongTexts('1h');
  const advance = world.call('POST', '/_sandbox/clock/advance', { by: '1h' });
  await world.post('/_sandbox/reset');
  expect((await advance).status).toBeOneOf([200, 409]);
  expect(await world.clock()).toMatchObject({ pending: 0 });
  expect((await world.call('GET', '/_sandbox/verdict')).status).toBe(404);
});
