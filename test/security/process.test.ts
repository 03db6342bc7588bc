/** Whatever comes in, the process stays: an error ends its own connection, call or job. */
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { expect, it as plainIt } from 'vitest';
import WebSocket from 'ws';
import { machineTime, owned } from '../../src/time/system-clock.js';
import { runningCli } from '../support/cli.js';
import { type Control, World } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

const { sandbox, it } = useSandbox({ clock: frozen, logLevel: 'silent' });

const frames = [
  '{"id":{"toString":1}}',
  '{"id":{"valueOf":{},"toString":{}}}',
  '{"id":"ask_1","error":null}',
  '{"id":"ask_1","error":{"code":{"toString":1},"message":{"toString":1}}}',
  '{"id":"ask_1","status":{"valueOf":1}}',
  '{"id":"ask_1","status":200,"headers":{"__proto__":1}}',
  `{"id":"ask_1","status":200,"body":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  'null',
  '\u0000',
];

it.for(frames.map((frame) => [frame.slice(0, 60), frame] as const))(
  'the tunnel frame %s ends nothing',
  async ([, frame], { world }) => {
    const url = `${sandbox.url.replace('http', 'ws')}/_sandbox/live?tunnel=1&key=${world.key}`;
    const socket = new WebSocket(url);
    await once(socket, 'message');
    const asked = once(socket, 'message');
    await world.post('/_sandbox/events', { type: 'message.received', settle: false });
    await asked;
    socket.send(frame);
    await world.clock();
    socket.terminate();
    await once(socket, 'close');
    expect((await world.clock()).mode).toBe('frozen');
  },
);

plainIt('a timer and a deferred call that throw are reported', async () => {
  const reported: unknown[] = [];
  const own = owned(machineTime, (error) => reported.push(error));
  await new Promise<void>((resolve) => {
    own.setTimer(0, () => {
      own.defer(() => {
        resolve();
        throw new Error('deferred');
      });
      throw new Error('timer');
    });
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(reported.map(String)).toEqual(['Error: timer', 'Error: deferred']);
});

it('a snapshot whose rule has a lone surrogate as its id is rejected', async ({ world }) => {
  await world.post('/_sandbox/rules', { id: 'first', when: 'message.send', then: { respond: { status: 503 } } });
  await world.post('/_sandbox/snapshots', { name: 'one' });
  const snapshot = await world.get<Control['Snapshot']>('/_sandbox/snapshots/one');
  for (const id of ['\ud800', 'a\udfff', 'x'.repeat(301)]) {
    const text = JSON.stringify(snapshot).replaceAll('"first"', JSON.stringify(id));
    expect(await world.call('PUT', '/_sandbox/snapshots/two', text)).toMatchObject({ status: 400 });
  }
});

it('a snapshot with lowered streams gives no id twice', async ({ world }) => {
  await world.template('order_shipped');
  await world.inbound('+12025550110');
  await world.post('/_sandbox/snapshots', { name: 'one' });
  const snapshot = await world.get<{ state: { meta: { draws: Record<string, number> } } }>('/_sandbox/snapshots/one');
  snapshot.state.meta.draws = {};
  await world.put('/_sandbox/snapshots/two', snapshot);
  await world.post('/_sandbox/snapshots/two/restore');
  await world.template('order_delivered');
  await world.inbound('+12025550110');
  await world.text();
  expect((await world.clock()).mode).toBe('frozen');
});

it('a snapshot with odd values is rejected, and the list of snapshots stays readable', async ({ world }) => {
  await world.inbound('+12025550110');
  await world.post('/_sandbox/snapshots', { name: 'one' });
  const snapshot = await world.get<Record<string, unknown>>('/_sandbox/snapshots/one');
  const odd = { toString: 1, valueOf: 1 };
  for (const [name, value] of [
    ['taken_at', '2026-13-45T99:00:00Z'],
    ['taken_at', odd],
    ['name', odd],
    ['version', odd],
  ] as const) {
    expect(await world.call('PUT', '/_sandbox/snapshots/two', { ...snapshot, [name]: value })).toMatchObject({
      status: 400,
    });
  }
  const text = JSON.stringify(snapshot);
  for (const wrong of [
    text.replace(/"seq":\d+/, `"seq":${JSON.stringify(odd)}`),
    text.replace(/"seq":\d+(?!.*"seq")/, '"seq":{"valueOf":1}'),
  ]) {
    expect((await world.call('PUT', '/_sandbox/snapshots/two', wrong)).status).toBe(400);
  }
  expect((await world.items('/_sandbox/snapshots')).length).toBe(1);
});

it('a small upload that unpacks to millions of values is rejected before it is parsed', async ({ world }) => {
  const packed = gzipSync(`[${'{},'.repeat(5_000_000)}{}]`);
  expect(packed.length).toBeLessThan(100_000);
  const response = await fetch(`${sandbox.url}/_sandbox/snapshots/bomb`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${world.key}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body: packed,
  });
  expect([response.status, await response.text()]).toEqual([413, expect.stringContaining('4000000 values')]);
});

it('a scenario full of errors names a hundred of them', async ({ world }) => {
  const started = machineTime.monotonic();
  const response = await fetch(`${sandbox.url}/_sandbox/scenarios/check`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/yaml' },
    body: '- ['.repeat(60_000),
  });
  const { error } = (await response.json()) as { error: { code: string; details: unknown[] } };
  expect([response.status, error.code, error.details.length <= 100]).toEqual([400, 'scenario_invalid', true]);
  expect(machineTime.monotonic()).toBeGreaterThan(started);
});

plainIt(
  'a process whose heap is nearly full takes no more records, stays, and takes some again after a reset',
  async () => {
    const server = await runningCli(['--clock', 'frozen'], { NODE_OPTIONS: '--max-old-space-size=110' });
    const world = new World(server.url, 'worker');
    const data = { text: 'x'.repeat(60_000) };
    const emit = () => world.call('POST', '/_sandbox/events', { type: 'message.received', data, settle: false });
    const fill = async () => {
      let refused = await emit();
      for (let n = 0; n < 100 && refused.status < 300; n += 1) {
        const answers = await Promise.all(Array.from({ length: 20 }, emit));
        refused = answers.find(({ status }) => status >= 300) ?? refused;
      }
      return refused;
    };
    const refused = await fill();
    expect([refused.status, refused.body.error.code]).toEqual([429, 'limit_reached']);
    expect(refused.body.error.message).toMatch(
      /^Limit reached: the process uses \d+ MB of the \d+ MB .*--max-old-space-size/,
    );
    expect((await world.items('/_sandbox/events')).length).toBeGreaterThan(10);
    // At once, although the process has just looked for garbage.
    for (let n = 0; n < 3; n += 1) {
      await fill();
      await world.post('/_sandbox/reset');
      expect((await emit()).status).toBeLessThan(300);
    }
  },
);
