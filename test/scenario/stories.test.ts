/** Stories that a tester tells in a file, each judged with an application that does it right and with some that do not. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { newWorld, type Control, type World } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

const { sandbox } = useSandbox({ clock: frozen });

type Application = (world: World) => Promise<unknown>;
const ada = '+12025550113';

async function verdictOf(file: string, application: Application): Promise<Control['Verdict']> {
  const world = newWorld(sandbox);
  const yaml = readFileSync(file, 'utf8');
  const { status, body } = await world.call('PUT', '/_sandbox/scenario', yaml, { 'content-type': 'application/yaml' });
  expect(status, JSON.stringify(body)).toBe(200);
  await application(world);
  return world.get('/_sandbox/verdict');
}

const failedOf = ({ checks }: Control['Verdict']) => checks.flatMap(({ passed }, index) => (passed ? [] : [index]));

const send = (world: World, to: string, content: object) => world.call('POST', '/v1/messages', { to, ...content });
const template = (name: string, variables: string[] = []) => ({
  type: 'template',
  template: { name, language: 'en', variables },
});
const text = (words: string) => ({ type: 'text', text: words });

/** What a receiver got, one entry for each request. */
async function received(world: World): Promise<{ id: string; type: string; data: Record<string, string> }[]> {
  const requests = await world.items<{ body: string }>('/_sandbox/sink/app/received?limit=1000');
  return requests.map(({ body }) => JSON.parse(body) as { id: string; type: string; data: Record<string, string> });
}

/** Sends until it is accepted, a few times, and waits in between as it sees fit. */
async function persist(world: World, to: string, content: object, wait: (retryAfter: string | null) => string | null) {
  for (let turn = 0; turn < 6; turn += 1) {
    const answer = await send(world, to, content).catch(() => null);
    if (answer?.status === 200) return;
    const pause = wait(answer?.headers.get('retry-after') ?? null);
    if (pause !== null) await world.advance(pause);
  }
}

const asTold = (retryAfter: string | null) => `${retryAfter ?? '1'}s`;
const atOnce = () => null;
const tooSoon = () => '100ms';

interface Story {
  readonly file: string;
  readonly right: Application;
  /** What each gets wrong, and the checks that say so, by their place. */
  readonly wrong: readonly (readonly [what: string, application: Application, failed: readonly number[]])[];
}

const stories: readonly Story[] = [
  {
    file: 'test/scenarios/unreachable-half.yaml',
    right: (world) => notify(world, 2),
    wrong: [
      ['never gives up', (world) => notify(world, 3), [2]],
      ['gives up at once', (world) => notify(world, 1), [1]],
    ],
  },
  {
    file: 'test/scenarios/quick-reply.yaml',
    right: (world) => reply(world, '1m'),
    wrong: [
      ['replies too late', (world) => reply(world, '3m'), [1]],
      ['does not reply', (world) => reply(world, null), [1]],
    ],
  },
  {
    file: 'test/scenarios/lost-code.yaml',
    right: (world) => signIn(world, '30s', 1),
    wrong: [
      ['sends again at once', (world) => signIn(world, '1s', 1), [1]],
      ['sends code after code', (world) => signIn(world, '30s', 3), [0]],
      ['gives up', (world) => signIn(world, '30s', 0), [0, 2]],
    ],
  },
  {
    file: 'test/scenarios/morning-campaign.yaml',
    right: (world) => morning(world, 'waits'),
    wrong: [
      ['tries over and over', (world) => morning(world, 'insists'), [0]],
      ['drops the rest', (world) => morning(world, 'drops'), [1]],
    ],
  },
  {
    file: 'scenarios/outage-then-flood.yaml',
    right: (world) => support(world, 'once'),
    wrong: [
      ['replies to every delivery', (world) => support(world, 'each'), [2]],
      ['never listens', (world) => send(world, ada, template('order_shipped', ['1'])), [0, 1, 2]],
    ],
  },
  {
    file: 'scenarios/rate-limited.yaml',
    right: (world) => many(world, asTold),
    wrong: [
      ['ignores Retry-After', (world) => many(world, atOnce), [2]],
      ['waits too short a time', (world) => many(world, tooSoon), [2]],
    ],
  },
  {
    file: 'scenarios/flaky-api.yaml',
    right: (world) => few(world, asTold),
    wrong: [
      ['ignores Retry-After', (world) => few(world, atOnce), [2]],
      ['waits too short a time', (world) => few(world, tooSoon), [2]],
    ],
  },
];

describe.each(stories)('$file', ({ file, right, wrong }) => {
  it('is passed by an application that does it right', async () => {
    const verdict = await verdictOf(file, right);
    expect(verdict.checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(verdict.passed).toBe(true);
  });

  it.each(wrong)('is failed by one that %s', async (_what, application, failed) => {
    const verdict = await verdictOf(file, application);
    expect(verdict.passed).toBe(false);
    expect(failedOf(verdict)).toEqual(expect.arrayContaining([...failed]));
  });

  it('is failed by none at all', async () => {
    expect(await verdictOf(file, () => Promise.resolve())).toMatchObject({ passed: false, reason: 'no_calls' });
  });
});

async function notify(world: World, tries: number): Promise<void> {
  const customers = await world.items<{ phone: string }>('/_sandbox/customers?limit=100');
  for (const { phone } of customers) {
    for (let turn = 0; turn < tries; turn += 1) {
      const { status: answer, body } = await send(world, phone, template('order_shipped', ['42']));
      if (answer !== 200) break;
      await world.advance('1m');
      const { message_id: id } = body as unknown as { message_id: string };
      const { status } = await world.get<{ status: string }>(`/v1/messages/${id}`);
      if (status !== 'failed') break;
    }
  }
}

async function reply(world: World, after: string | null): Promise<void> {
  await world.advance('7m');
  await send(world, ada, template('order_shipped', ['42']));
  await world.advance('5m');
  const [question] = await received(world);
  if (after !== null) {
    await world.advance(after);
    await send(world, question?.data['from'] ?? '', text('Tomorrow.'));
  }
  await world.advance('10m');
}

async function signIn(world: World, wait: string, again: number): Promise<void> {
  const code = () => world.post<{ otp_id: string }>('/v1/otp/send', { to: ada, template: 'login_code' });
  let { otp_id: otp } = await code();
  for (let turn = 0; turn < again; turn += 1) {
    await world.advance(wait);
    ({ otp_id: otp } = await code());
  }
  await world.advance('10s');
  await world.call('POST', '/v1/otp/verify', { otp_id: otp, code: again === 0 ? '000000' : '042042' });
}

async function morning(world: World, manner: 'waits' | 'insists' | 'drops'): Promise<void> {
  const customers = await world.items<{ phone: string }>('/_sandbox/customers?limit=100');
  await world.advance('17h59m');
  for (const [index, { phone }] of customers.entries()) {
    if (index === 25) await world.advance('1m');
    for (let turn = 0; turn < 5; turn += 1) {
      if ((await send(world, phone, template('promo_spring'))).status === 200) break;
      if (manner === 'drops') break;
      await world.advance(manner === 'waits' ? '2h' : '30m');
    }
    if (manner === 'drops' && index === 25) break;
  }
  await world.advance('24h');
}

async function support(world: World, manner: 'once' | 'each'): Promise<void> {
  await world.register('https://sink.sandbox/app', ['message.received', 'message.status']);
  await world.advance('3h');
  const seen = new Set<string>();
  for (const { id, type, data } of await received(world)) {
    if (type !== 'message.received' || (manner === 'once' && seen.has(id))) continue;
    seen.add(id);
    await send(world, data['from'] ?? '', text('We look into it.'));
  }
}

async function many(world: World, wait: (retryAfter: string | null) => string | null): Promise<void> {
  for (let n = 0; n < 20; n += 1) await persist(world, '+12025550114', text(`Message ${n}`), wait);
  for (let n = 0; n < 3; n += 1) await persist(world, '+13125550110', text(`Message ${n}`), wait);
}

async function few(world: World, wait: (retryAfter: string | null) => string | null): Promise<void> {
  for (let n = 0; n < 5; n += 1) await persist(world, '+12025550117', text(`Message ${n}`), wait);
}
