/** A scenario played to its end by one call. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Refusal, World } from '../support/client.js';
import { useCheckedSandbox } from '../support/sandbox.js';
import { frozen, stage } from '../support/scenes.js';

const { sandbox, it } = useCheckedSandbox({ clock: frozen });
const to = '+12025550110';

/** An application that sends a template for each order, and a reminder a moment after each inbound message. */
const app = createServer((request, response) => {
  const world = worlds.get(request.headers['x-world'] as string) as World;
  const work = request.url === '/orders' ? world.send(to, 'order_shipped') : Promise.resolve();
  void work.then(
    () => response.writeHead(request.url === '/broken' ? 500 : 201).end('{"number":"A-1"}'),
    () => response.writeHead(502).end('{}'),
  );
});
const worlds = new Map<string, World>();
let application = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => void app.listen(0, '127.0.0.1', resolve));
  application = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
});
afterAll(() => void app.close());

interface Result {
  readonly ended: { readonly at: string; readonly because: string; readonly idle_real_ms: number | null };
  readonly verdict: { readonly passed: boolean; readonly checks: readonly { readonly passed: boolean }[] };
}

const order = (world: World, at = '+0s') => {
  worlds.set(world.key, world);
  return { at, http: { url: '/orders', body: {}, headers: { 'X-World': world.key } } };
};

it('names one scenario: by its name, or whole', async ({ world }) => {
  const both = { name: 'happy-path', scenario: { version: 1 } };
  expect(await world.call('POST', '/_sandbox/scenario/play', both)).toMatchObject({
    status: 400,
    body: { error: { details: [{ field: 'scenario', message: expect.stringContaining('beside "name"') as string }] } },
  });
});

it('an account without an application is played at once, and its clock stays frozen at the end', async ({ world }) => {
  const result = await world.post<Result>('/_sandbox/scenario/play', {
    scenario: {
      version: 1,
      timeline: [{ at: '+3d', inbound: { phone: to, text: 'Hello' } }],
      expect: [{ at: 'finish', that: 'events', where: { type: 'message.received' }, count: 1 }],
      expect_no_calls: true,
    },
  });
  expect(result).toMatchObject({
    ended: { at: '+3d', because: 'nothing was due', still_due: [], idle_real_ms: null },
    verdict: { passed: true, checks: [{ passed: true }] },
    notes: [],
  });
  expect(await world.clock()).toMatchObject({ mode: 'frozen', now: '2026-03-04T09:00:00.000Z' });
});

it.for(['flow', 'frozen'])(
  'steps reach the application at its address, and a day passes in a moment (%s)',
  async (pace) => {
    const world = await stage(sandbox);
    const result = await world.post<Result>('/_sandbox/scenario/play', {
      application,
      quiet_real: '20ms',
      pace,
      scenario: {
        version: 1,
        timeline: [order(world), order(world, '+24h')],
        expect: [
          { at: 'finish', that: 'messages', where: { template: 'order_shipped', status: 'read' }, count: 2 },
          { at: '+1h', that: 'messages', count: 1 },
        ],
      },
    });
    expect(result).toMatchObject({ verdict: { passed: true }, ended: { because: 'nothing was due' } });
    expect(result.ended.idle_real_ms).toBeGreaterThan(0);
  },
);

it.for([
  ['is not passed', { that: 'sent', count: 0 }, { passed: false, reason: 'none_accepted' }],
  ['is, if it says so', { that: 'attempts', where: { status: 500 }, min: 1 }, { passed: true }],
] as const)(
  'a story of which no event is accepted %s; it ends before the hourly retries',
  async ([, check, verdict]) => {
    const world = await stage(sandbox);
    const url = `${application.replace('http', 'https')}/broken`;
    await world.post('/v1/webhooks', { url, events: ['message.received'] });
    const result = await world.post<Result>('/_sandbox/scenario/play', {
      application,
      quiet_real: '20ms',
      scenario: {
        version: 1,
        timeline: [{ at: '+1m', inbound: { phone: to, text: 'STOP' } }, order(world, '+2m')],
        expect: [{ at: 'finish', ...check }],
      },
    });
    expect(result).toMatchObject({ ended: { at: '+37m' }, verdict });
  },
);

it('warnings of the scenario are among the notes', async ({ world }) => {
  const none = { at: 'finish', that: 'sent', where: { template: 'ofer' }, count: 0 };
  const offer = { name: 'offer', category: 'utility', language: 'en', body: 'Hi' };
  const scenario = { version: 1, given: { templates: [offer] }, expect: [none], expect_no_calls: true };
  const { notes } = await world.post<Result & { notes: string[] }>('/_sandbox/scenario/play', { scenario });
  expect(notes).toEqual([expect.stringMatching(/^Line \d+: given\.templates has no "ofer"/)]);
});

it('the active scenario is played, and what only its program can do is skipped and said', async () => {
  const world = await stage(sandbox, [], { timeline: [{ at: '+1m', restart: true }] });
  const result = await world.post<Result>('/_sandbox/scenario/play', { application, quiet_real: '20ms' });
  expect(result).toMatchObject({ verdict: { warnings: [expect.stringContaining('scenario run --app')] } });
});

describe('a play that somebody ends', () => {
  /** A play that ends by itself after a minute at the earliest. */
  async function endless() {
    const world = await stage(sandbox, [], { timeline: [{ at: '+1h', wait: { real: '60s' } }] });
    const over = new AbortController();
    const playing = fetch(`${world.url}/_sandbox/scenario/play`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ application, quiet_real: '1ms' }),
      signal: over.signal,
    });
    while ((await world.clock()).now < '2026-03-01T10:00:00.000Z');
    return { world, over, playing };
  }
  const refusal = async (playing: Promise<Response>) => {
    const response = await playing;
    return [response.status, ((await response.json()) as Refusal).error.code];
  };

  it('a second play and an advance wait for their turn', async () => {
    const { world, over, playing } = await endless();
    for (const [path, body] of [
      ['/_sandbox/scenario/play', {}],
      ['/_sandbox/clock/advance', { by: '1h' }],
      ['/_sandbox/scenario', { name: 'happy-path' }],
    ] as const) {
      const method = path === '/_sandbox/scenario' ? 'PUT' : 'POST';
      expect(await world.call(method, path, body)).toMatchObject({
        status: 409,
        body: { error: { code: 'clock_advancing', message: expect.stringContaining('by a play') as string } },
      });
    }
    over.abort();
    await expect(playing).rejects.toThrow();
    // The play ends with its caller, and the clock stands still.
    while ((await world.clock()).mode !== 'frozen');
  });

  it('by setting the clock', async () => {
    const { world, playing } = await endless();
    await world.put('/_sandbox/clock', { mode: 'real' });
    expect(await refusal(playing)).toEqual([409, 'clock_interrupted']);
    expect((await world.clock()).mode).toBe('real');
  });

  it('by the call that stops an advance, at the time that it has reached', async () => {
    const { world, playing } = await endless();
    await world.delete('/_sandbox/clock/advance');
    expect(await refusal(playing)).toEqual([409, 'clock_interrupted']);
    expect((await world.clock()).mode).toBe('frozen');
  });

  it('by a reset', async () => {
    const { world, playing } = await endless();
    await world.post('/_sandbox/reset');
    expect(await refusal(playing)).toEqual([409, 'wait_interrupted']);
    expect(await world.call('GET', '/_sandbox/scenario')).toMatchObject({ body: { name: null } });
  });

  it('by its own limit', async () => {
    const world = await stage(sandbox, [], { timeline: [{ at: '+1h', wait: { real: '60s' } }] });
    const result = await world.post<Result>('/_sandbox/scenario/play', { application, max_real: '50ms' });
    expect(result.ended.because).toBe('max_real: 50 ms');
  });
});

it('without a scenario there is nothing to play', async ({ world }) => {
  expect(await world.call('POST', '/_sandbox/scenario/play')).toMatchObject({
    status: 404,
    body: { error: { code: 'not_found', message: expect.stringContaining('No scenario is active.') as string } },
  });
});
