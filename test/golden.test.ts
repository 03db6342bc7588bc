/**
 * A long run over both planes, recorded once: ids, codes, signatures, event bytes, error bodies and verdict texts.
 * Whoever changes the inside of the sandbox must not change a byte of it; whoever changes its behaviour accepts the
 * difference by hand: `npx vitest run test/golden.test.ts -u`, then read what git shows.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSandbox } from '../src/index.js';

type Json = Record<string, unknown>;

/** A connection to a sandbox that writes down what it sends and receives. */
class Recorder {
  readonly lines: string[] = [];
  url = '';
  constructor(readonly key: string) {}

  async call(method: string, path: string, body?: unknown, headers: Json = {}): Promise<Json> {
    const { status, json } = await this.#fetch(method, path, body, headers);
    const sent = body === undefined ? '' : ` ${typeof body === 'string' ? body : JSON.stringify(body)}`;
    this.lines.push(
      `> ${method} ${path}${sent}`,
      `${status} ${JSON.stringify(json).replace(/"(?:seq|duration_ms)":\d+,/g, '')}`,
    );
    return json;
  }

  /** Reads without writing it down. */
  async read(path: string): Promise<Json> {
    return (await this.#fetch('GET', path)).json;
  }

  /** Calls without writing it down. @returns the status */
  async send(method: string, path: string, body?: unknown): Promise<number> {
    return (await this.#fetch(method, path, body)).status;
  }

  async #fetch(method: string, path: string, body?: unknown, headers: Json = {}) {
    const response = await fetch(this.url + path, {
      method,
      headers: { Authorization: `Bearer ${this.key}`, 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: (text === '' ? null : JSON.parse(text)) as Json };
  }

  note(title: string, facts: readonly unknown[]): void {
    this.lines.push(`# ${title}`, ...facts.map((fact) => JSON.stringify(fact)));
  }
}

const scenario = {
  version: 1,
  name: 'golden',
  seed: 42,
  given: {
    templates: [
      { name: 'order_shipped', category: 'utility', language: 'en', body: 'Order {{1}} left', status: 'approved' },
    ],
    customers: [{ phone: '+12025550150', name: 'Ada', window: 'open' }],
    webhooks: [
      { alias: 'app', url: 'https://sink.sandbox/given', events: ['message.status'], secret: 'whsec_fixed_for_tests' },
    ],
  },
  rules: [
    {
      id: 'busy',
      when: 'message.send',
      match: { phone: '+12025550151' },
      then: { respond: { status: 503, code: 'unavailable', message: 'Try later.' } },
    },
    {
      id: 'lost',
      when: 'message.send',
      match: { phone: '+1415*' },
      then: { lifecycle: [{ sent: '1s' }, { failed: '5s', error: 'undeliverable' }] },
    },
  ],
  expect: [
    { at: 'finish', that: 'requests', where: { operation: 'message.send', rule: 'busy' }, max: 0 },
    { at: 'finish', that: 'messages', where: { to: '+1415*' }, min: 1 },
  ],
};

async function templates(run: Recorder): Promise<void> {
  await run.call('POST', '/v1/templates', {
    name: 'order_update',
    category: 'utility',
    language: 'en',
    body: 'Order {{1}} is {{2}}',
    buttons: [{ type: 'quick_reply', text: 'Thanks' }],
  });
  await run.call('POST', '/v1/templates', { name: 'login', category: 'authentication', language: 'en_US' });
  await run.call('POST', '/v1/templates', { name: 'sale_reject', category: 'marketing', language: 'en', body: 'Sale' });
  await run.call('POST', '/v1/templates', { name: 'Bad Name', category: 'none', language: 'en', body: '{{2}}' });
  await run.call('POST', '/v1/otp/send', { to: '+12025550110' });
  await run.call('POST', '/_sandbox/clock/advance', { by: '3h' });
  await run.call('GET', '/v1/templates');
}

async function sends(run: Recorder): Promise<void> {
  const template = { name: 'order_update', language: 'en', variables: ['A-1', 'packed'] };
  for (const n of ['10', '01', '06', '07', '09', '20', '21', '30', '40', '42', '80'])
    await run.call('POST', '/v1/messages', { to: `+120255501${n}`, type: 'template', template });
  await run.call('POST', '/v1/messages', {
    to: ['+12025550110', '+12025550130', 'nobody', '+12025550122'],
    type: 'template',
    template,
  });
  await run.call('POST', '/v1/messages', {
    to: '+12025550110',
    type: 'template',
    template: { ...template, name: 'x' },
  });
  await run.call('POST', '/v1/messages', {
    to: '+12025550110',
    type: 'template',
    template: { ...template, variables: ['A-1'] },
  });
  await run.call('POST', '/v1/messages', { to: '+12025550111', type: 'text', text: 'Too late' });
}

async function conversation(run: Recorder): Promise<void> {
  await run.call('POST', '/_sandbox/inbound', { from: '+12025550111' });
  await run.call('POST', '/_sandbox/inbound', { from: '+12025550112', text: 'Hello', profile_name: 'Grace' });
  for (const body of [
    { type: 'text', text: 'Hi Grace' },
    { type: 'image', media_url: 'https://example.com/a.png' },
    { type: 'document', media_url: 'https://example.com/a.pdf' },
    { type: 'interactive', interactive: { body: 'Well?', buttons: [{ id: 'y', title: 'Yes' }] } },
    { type: 'interactive', interactive: { type: 'list', body: 'Well?', sections: [] } },
    { type: 'text' },
  ])
    await run.call('POST', '/v1/messages', { to: '+12025550112', ...body });
  await run.call('POST', '/v1/messages', '{"to":');
  await run.call('POST', '/v1/messages', 'x', { 'Content-Type': 'text/plain' });
  await run.call('GET', '/v1/messages/00000000-0000-4000-8000-000000000000');
  await run.call('PATCH', '/v1/messages');
  await run.call('GET', '/v1/nothing');
}

async function codes(run: Recorder): Promise<void> {
  const right = async (otp: Json) => (await run.read(`/_sandbox/otps/${String(otp['otp_id'])}`))['code'];
  const first = await run.call('POST', '/v1/otp/send', { to: '+12025550110', length: 8, expiry_seconds: 60 });
  await run.call('POST', '/v1/otp/verify', { otp_id: first['otp_id'], code: '00000000' });
  await run.call('POST', '/v1/otp/verify', { otp_id: first['otp_id'], code: await right(first) });
  await run.call('POST', '/v1/otp/verify', { otp_id: first['otp_id'], code: await right(first) });
  const second = await run.call('POST', '/v1/otp/send', { to: '+12025550162', template: 'login' });
  await run.call('POST', '/v1/otp/verify', { otp_id: second['otp_id'], code: 'wrong' });
  await run.call('POST', '/v1/otp/verify', { otp_id: second['otp_id'], code: await right(second) });
  const third = await run.call('POST', '/v1/otp/send', { to: '+12025550161', length: 9 });
  run.note('no code', [third]);
  const fourth = await run.call('POST', '/v1/otp/send', { to: '+12025550161' });
  await run.call('POST', '/_sandbox/clock/advance', { by: '30s' });
  await run.call('POST', '/v1/otp/verify', { otp_id: fourth['otp_id'], code: await right(fourth) });
}

/** What was sent, to the byte. */
async function deliveries(run: Recorder): Promise<void> {
  const { items } = await run.read('/_sandbox/deliveries?limit=1000');
  const rows: unknown[] = [];
  for (const { id } of [...(items as Json[])].sort((a, b) => Number(a['seq']) - Number(b['seq']))) {
    const { event_id, event_type, state, attempts } = await run.read(`/_sandbox/deliveries/${String(id)}`);
    const [first] = attempts as { request: { body: unknown; headers: Json } }[];
    rows.push([id, event_id, event_type, state]);
    rows.push((attempts as Json[]).map(({ at, status }) => `${String(at)} ${String(status)}`).join(', '));
    if (first) rows.push([first.request.headers['X-Service-Signature'], first.request.body]);
  }
  run.note('deliveries', rows);
  const events = (await run.read('/_sandbox/events?limit=1000'))['items'] as Json[];
  run.note(
    'events',
    events.map(({ id, type, created_at }) => [id, type, created_at]),
  );
  const messages = (await run.read('/_sandbox/messages?limit=1000'))['items'] as Json[];
  run.note(
    'messages',
    messages.map(({ message_id, wamid, to, status, error, explain, history }) => [
      ...[message_id, wamid, to, status, error, explain, history],
    ]),
  );
}

async function scenarioAndVerdict(run: Recorder): Promise<void> {
  await run.call('PUT', '/_sandbox/scenario', {
    version: 1,
    rules: [{ when: 'message.sent', then: { respond: 503 } }],
  });
  run.note('activated', [await run.send('PUT', '/_sandbox/scenario', scenario)]);
  const template = { name: 'order_shipped', language: 'en', variables: ['7'] };
  await run.call('POST', '/v1/messages', { to: '+12025550151', type: 'template', template });
  await run.call('POST', '/v1/messages', { to: '+14155550199', type: 'template', template });
  await run.call('POST', '/v1/messages', { to: '+12025550150', type: 'text', text: 'Hi Ada' });
  await run.call('POST', '/_sandbox/clock/advance', { by: '1m' });
  const verdict = await run.call('GET', '/_sandbox/verdict');
  run.note('passed', [verdict['passed']]);
}

it('plays the long run as it was recorded', async () => {
  const data = await mkdtemp(join(tmpdir(), 'golden-'));
  const run = new Recorder('golden');
  const start = () => createSandbox({ key: run.key, clock: 'frozen:2026-03-01T09:00:00Z', data });
  try {
    {
      await using sandbox = await start();
      run.url = sandbox.url;
      const webhook = { url: 'https://sink.sandbox/app' };
      await run.call('POST', '/v1/webhooks', { ...webhook, events: ['message.received', 'message.status'] });
      await run.call('POST', '/v1/webhooks', { url: 'https://sink.sandbox/other', events: ['otp.verified'] });
      await run.call('POST', '/v1/webhooks', { url: 'https://sink.sandbox/down', events: ['template.status'] });
      await run.call('POST', '/v1/webhooks', { url: 'http://example.com', events: ['message'] });
      await run.call('PUT', '/_sandbox/sink/app', { respond: [{ status: 503, times: 2 }, { status: 200 }] });
      await run.call('PUT', '/_sandbox/sink/down', { respond: [{ status: 500 }] });
      await templates(run);
      await sends(run);
      await conversation(run);
      await codes(run);
      await run.call('POST', '/_sandbox/events', { type: 'message.received' });
      await run.send('POST', '/_sandbox/snapshots', { name: 'before' });
      await run.call('POST', '/_sandbox/clock/advance', { by: '25h' });
    }
    {
      // The same after a restart, as far as it was.
      await using sandbox = await start();
      run.url = sandbox.url;
      await run.call('GET', '/v1/webhooks');
      await deliveries(run);
      await run.send('POST', '/_sandbox/snapshots/before/restore');
      await run.call('POST', '/v1/webhooks', { url: 'https://sink.sandbox/down', events: ['template.status'] });
      await run.call('POST', '/_sandbox/inbound', { from: '+12025550113', text: 'After the restart' });
      await scenarioAndVerdict(run);
      await deliveries(run);
    }
  } finally {
    await rm(data, { recursive: true, force: true });
  }
  await expect(`${run.lines.join('\n')}\n`).toMatchFileSnapshot('golden.txt');
});
