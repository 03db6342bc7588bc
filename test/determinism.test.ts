/** The same seed, key and sequence of calls yield the same everything. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../src/sandbox.js';
import { machineTime } from '../src/time/system-clock.js';
import { World } from './support/client.js';
import { startTestSandbox } from './support/sandbox.js';

const startMs = Date.UTC(2026, 2, 1, 9);
const open: Sandbox[] = [];
let one: Sandbox;
let two: Sandbox;
let first: string;
let second: string;
beforeAll(async () => {
  one = await sandboxWith();
  two = await sandboxWith();
  first = await told(one, 'worker');
  second = await told(two, 'worker');
});
afterAll(() => Promise.all(open.map((sandbox) => sandbox.close())));

async function sandboxWith(randomSeed: number | string = 1): Promise<Sandbox> {
  const sandbox = await startTestSandbox({ randomSeed, clock: { mode: 'frozen', scale: 1, startMs } });
  open.push(sandbox);
  return sandbox;
}

type Step = (world: World) => Promise<unknown>;

/** Something of everything, a refusal and a failing receiver included. */
const story: readonly Step[] = [
  (world) => world.register('https://sink.sandbox/app', ['message.status', 'message.received', 'otp.verified']),
  (world) => world.put('/_sandbox/sink/app', { respond: [{ status: 503, times: 1 }, { status: 200 }] }),
  (world) => world.template('order_shipped'),
  (world) => world.template('login', { category: 'authentication', body: undefined }),
  (world) => world.send('+12025550110', 'order_shipped'),
  (world) => world.send(['+12025550111', '+12025550112', 'nobody'], 'order_shipped'),
  (world) => world.call('POST', '/v1/messages', { to: '+12025550110', type: 'text', text: 'Too late' }),
  (world) => world.inbound('+12025550110'),
  (world) => world.inbound('+12025550113'),
  (world) => world.reply('+12025550110'),
  (world) => world.call('POST', '/v1/otp/send', { to: '+12025550110', length: 8 }),
  async (world) => {
    const [otp] = await world.items<{ otp_id: string; code: string }>('/_sandbox/otps');
    await world.post('/v1/otp/verify', { otp_id: otp?.otp_id, code: otp?.code });
  },
  (world) => world.post('/_sandbox/events', { type: 'template.status' }),
  (world) => world.idle(),
  (world) => world.advance('10m'),
];

/** Everything the account can tell of itself, as text. */
async function everything(world: World): Promise<string> {
  const paths = [
    '/_sandbox/requests?limit=1000',
    '/_sandbox/messages?limit=1000',
    '/_sandbox/events?limit=1000',
    '/_sandbox/deliveries?limit=1000',
    '/_sandbox/customers',
    '/_sandbox/otps',
    '/_sandbox/webhooks',
    '/_sandbox/templates',
    '/_sandbox/sink/app/received',
    '/_sandbox/clock',
  ];
  const parts: unknown[] = [];
  for (const path of paths) parts.push(await world.get(path));
  return JSON.stringify(parts, null, 1)
    .replace(/"duration_ms": [\d.]+/g, '"duration_ms": 0')
    .replace(/"host": "127\.0\.0\.1:\d+"/g, '"host": "HOST"');
}

async function told(sandbox: Sandbox, key: string): Promise<string> {
  const world = new World(sandbox.url, key);
  for (const step of story) await step(world);
  return everything(world);
}

/** Whatever is made of chance: ids, secrets, codes, names and words. */
function chances(text: string): string[] {
  const uuids = text.match(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g) ?? [];
  const ids = text.match(/(?:evt|req|whsec)_\w+|wamid\.[\w+/=]+/g) ?? [];
  const rest = text.match(/"(?:code": "\d+|profile_name": "[^"]+|text": "[A-Z][a-z ]+\.)"/g) ?? [];
  return [...new Set([...uuids, ...ids, ...rest])];
}

it('the same seed, key and calls tell the same story, byte for byte', () => {
  expect(chances(first).length).toBeGreaterThan(60);
  expect(second).toBe(first);
});

it.each([
  ['another key', 1, 'other'],
  ['another seed', 2, 'worker'],
] as const)('%s shares no id, secret or word with it', async (_what, seed, key) => {
  const known = new Set(chances(first));
  const other = chances(await told(seed === 1 ? one : await sandboxWith(seed), key));
  expect(other.length).toBe(known.size);
  expect(other.filter((chance) => known.has(chance))).toEqual([]);
});

it('two accounts that take turns in one sandbox tell what each would have told alone', async () => {
  const alone = [await told(one, 'left'), await told(one, 'right')];
  const [left, right] = [new World(two.url, 'left'), new World(two.url, 'right')];
  for (const step of story) {
    await step(left);
    await step(right);
  }
  expect([await everything(left), await everything(right)]).toEqual(alone);
});

it('a machine that takes its time over everything tells the same story', async () => {
  let machineMs = 0;
  const sandbox = await startTestSandbox(
    { clock: { mode: 'frozen', scale: 1, startMs } },
    { hostTime: { ...machineTime, monotonic: () => (machineMs += 7) } },
  );
  open.push(sandbox);
  expect(await told(sandbox, 'worker')).toBe(first);
});

/** The ids that calls of the application are answered with: sends to one who writes back after 30 s, a batch among them. */
async function named(sandbox: Sandbox, prepare: Step, between: Step): Promise<unknown[]> {
  const world = new World(sandbox.url, 'paced');
  await world.post('/_sandbox/reset', { ids: 'restart' });
  await world.template('order_shipped');
  await prepare(world);
  const answers: unknown[] = [];
  for (const to of ['+12025550170', Array<string>(20).fill('+12025550110'), '+12025550170', '+12025550110']) {
    const answer = await world.send(to, 'order_shipped');
    await between(world);
    answers.push(answer, await world.template(`template_${answers.length}`));
  }
  const sent = await world.items<{ direction: string; wamid: string }>('/_sandbox/messages?limit=1000');
  return [...answers, ...sent.filter(({ direction }) => direction === 'outbound').map(({ wamid }) => wamid)];
}

const nothing = () => Promise.resolve();
const listening: Step = (world) => world.register('https://sink.sandbox/app', ['message.status', 'message.received']);

it.each<[string, Step, Step]>([
  ['with a webhook more', listening, nothing],
  ['with time that passes in between', listening, (world) => world.advance('1h')],
  [
    'while a receiver takes its time, and most deliveries wait for their turn',
    async (world) => {
      await world.put('/_sandbox/sink/app', { respond: [{ status: 200, delay: '1m' }] });
      await listening(world);
    },
    nothing,
  ],
])('calls are answered with the same ids %s', async (_what, prepare, between) => {
  const plain = await named(one, nothing, nothing);
  expect(await named(two, prepare, between)).toEqual(plain);
});

// The sequence goes on, so that no cursor comes to mean something else; ids made of it go with it.
const plain = (text: string) => text.replace(/"(?:seq|next)": \d+/g, '').replace(/(?:job|att)_\d+/g, '');

it('a reset that begins the ids anew starts the same story over', async () => {
  const world = new World(one.url, 'worker');
  await world.post('/_sandbox/reset', { ids: 'restart' });
  expect(plain(await told(one, 'worker'))).toBe(plain(first));
});

it('across a reset no id is given twice, and the same calls and resets tell the same story', async () => {
  const again = await Promise.all(
    [one, two].map(async (sandbox) => {
      await told(sandbox, 'resetting');
      await new World(sandbox.url, 'resetting').post('/_sandbox/reset');
      return told(sandbox, 'resetting');
    }),
  );
  expect(again[1]).toBe(again[0]);
  const known = new Set(chances(await told(await sandboxWith(), 'resetting')));
  expect(known.size).toBeGreaterThan(60);
  expect(chances(again[0] ?? '').filter((chance) => known.has(chance))).toEqual([]);
});

it('ids do not begin anew beside records that are kept', async () => {
  const world = new World(one.url, 'keeping');
  expect(await world.call('POST', '/_sandbox/reset', { ids: 'restart', keep: ['templates', 'clock'] })).toMatchObject({
    status: 400,
    body: { error: { message: 'ids begins anew only with an empty account, but keep names templates.' } },
  });
});
