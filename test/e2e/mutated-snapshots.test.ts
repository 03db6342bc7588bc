/** Snapshots with one changed value: each is either rejected, or everything works after it is restored. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { closing } from '../support/closing.js';
import { newWorld, type World } from '../support/client.js';
import { cases, fuzzSeed } from '../support/property.js';
import { startTestSandbox } from '../support/sandbox.js';
import { frozen, startMs } from '../support/scenes.js';

const to = '+12025550110';
const rounds = cases(240);

const scenario = `
version: 1
name: mutated
given:
  templates: [{ name: greeting, category: utility, language: en, body: 'Hello {{1}}' }]
rules:
  - when: message.send
    match: { phone: '+12025550177' }
    then: { limit: 2/1m }
  - when: message.send
    match: { phone: '+12025550178' }
    then: { lifecycle: [{ sent: 1s }, { delivered: 2s }] }
timeline:
  - { at: +1h, inbound: { phone: '+12025550150', text: 'Hello?' } }
expect:
  - { at: +2h, that: requests, where: { operation: message.send }, min: 1 }
`;

/** An account with rows in every table, and with pending jobs. */
async function lived(world: World): Promise<void> {
  const read = await world.call('PUT', '/_sandbox/scenario', scenario, { 'content-type': 'application/yaml' });
  expect(read.status, JSON.stringify(read.body)).toBe(200);
  await world.template('order');
  await world.template('code', { category: 'authentication', body: 'Your code is {{1}}' });
  await world.template('pending', {}, false);
  await world.register('https://sink.sandbox/app', ['message.status', 'message.received', 'template.status']);
  await world.post('/_sandbox/rules', {
    when: 'webhook.deliver',
    match: { type: 'message.received' },
    then: { webhook: { signature: 'malformed' } },
  });
  await world.put('/_sandbox/sink/app', { respond: [{ status: 500 }] });
  await world.send([to, '+12025550111'], 'order');
  await world.inbound(to, { text: 'Hi' });
  await world.text(to, 'Hello');
  await world.post('/v1/otp/send', { to });
  await world.call('POST', '/v1/messages', { to: '+12025550178', type: 'text', text: 'x' });
  await world.call('POST', '/v1/messages', { to: 'nobody' });
  await world.advance('10s');
  await world.send(to, 'order');
}

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Array.isArray(value)
    ? value.flatMap((item, i) => pathsOf(item, [...path, i]))
    : Object.entries(value).flatMap(([name, item]) => pathsOf(item, [...path, name]));
  return path.length === 0 ? inner : [path, ...inner];
}

const numbers = [0, -1, 1.5, 8.64e15, 1e21, startMs, startMs + 1e12];
const texts = ['', 'x', 'order', 'text', 'template', '+12025550199', 'https://', '\u0000', 'failed', 'otp'];
const values: readonly unknown[] = [...numbers, ...texts, null, true, [], {}, [null], { a: { b: 1 } }];

/** Replaces or removes one value. The kind of the change, its place and the new value are chosen by numbers. */
const change = fc.tuple(fc.nat(3), fc.nat(), fc.nat(), fc.constantFrom(...values));
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** @returns a description of the change */
function mutate(root: object, [kind, place, source, other]: Change): string {
  const paths = pathsOf(root);
  const path = paths[place % paths.length] ?? [];
  const at = (of: Path) => of.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], root);
  const name = path.at(-1) as string;
  const parent = at(path.slice(0, -1)) as Record<string, unknown>;
  if (kind === 0) {
    if (Array.isArray(parent)) parent.splice(Number(name), 1);
    else Reflect.deleteProperty(parent, name);
    return `${path.join('.')} removed`;
  }
  const value = kind === 1 ? structuredClone(at(paths[source % paths.length] ?? [])) : other;
  parent[name] = value;
  return `${path.join('.')} = ${JSON.stringify(value).slice(0, 80)}`;
}

/**
 * Makes writing and reading calls of both planes.
 * @returns those that failed
 */
async function exercise(world: World): Promise<string[]> {
  const failures: string[] = [];
  const call = async (method: string, path: string, body?: unknown) => {
    const { status, body: answer } = await world.call<unknown>(method, path, body);
    if (status >= 500 && status !== 503) failures.push(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    return answer;
  };
  const ids = async (path: string, field: string): Promise<string[]> => {
    const { items } = (await call('GET', path)) as { items?: Record<string, string>[] };
    return (items ?? []).map((item) => encodeURIComponent(String(item[field])));
  };
  for (const id of await ids('/_sandbox/messages', 'message_id')) await call('GET', `/v1/messages/${id}`);
  for (const id of await ids('/_sandbox/templates', 'id')) await call('GET', `/v1/templates/${id}`);
  for (const id of await ids('/_sandbox/otps', 'otp_id')) {
    await call('POST', '/v1/otp/verify', { otp_id: id, to, code: '000000' });
  }
  for (const list of ['customers', 'events', 'webhooks', 'requests', 'rules', 'scenario', 'verdict', 'coverage']) {
    await call('GET', `/_sandbox/${list}`);
  }
  const [delivery] = await ids('/_sandbox/deliveries', 'id');
  const template = { name: 'order', language: 'en', variables: ['1'] };
  for (const [path, body] of [
    ['/v1/messages', { to, type: 'text', text: 'Hello' }],
    ['/v1/messages', { to: [to, '+12025550178'], type: 'template', template }],
    ['/v1/otp/send', { to }],
    ['/v1/templates', { name: 'fresh', category: 'utility', language: 'en', body: 'Hi' }],
    ['/v1/webhooks', { url: 'https://sink.sandbox/other', events: ['message.status'] }],
    ['/_sandbox/inbound', { from: to, text: 'Again' }],
    [`/_sandbox/deliveries/${delivery ?? 'none'}/redeliver`],
    ['/_sandbox/clock/advance', { by: '48h' }],
    ['/_sandbox/snapshots', { name: 'again' }],
    ['/_sandbox/snapshots/again/restore'],
    ['/_sandbox/clock/advance', { until: 'idle' }],
    ['/_sandbox/reset', { keep: ['templates', 'webhooks', 'scenario'] }],
  ] as const) {
    await call('POST', path, body);
  }
  return failures;
}

it('a snapshot that is accepted works', { timeout: 600_000 }, async () => {
  const errors: string[] = [];
  const note = (text: string): void => void errors.push(text);
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: note };
  const sandbox = closing(await startTestSandbox({ clock: frozen }, { log }));
  const origin = newWorld(sandbox);
  await lived(origin);
  await origin.post('/_sandbox/snapshots', { name: 'whole' });
  const text = JSON.stringify(await origin.get('/_sandbox/snapshots/whole'));
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(change, async (chosen) => {
      const snapshot = JSON.parse(text) as { state: object };
      const done = mutate(snapshot.state, chosen);
      const world = newWorld(sandbox);
      const { status } = await world.call('PUT', '/_sandbox/snapshots/mutated', snapshot);
      expect(status, done).toBeOneOf([200, 400]);
      if (status === 200) {
        accepted += 1;
        await world.post('/_sandbox/snapshots/mutated/restore');
        expect(await exercise(world), done).toEqual([]);
      }
      expect(errors.splice(0), done).toEqual([]);
      await world.call('DELETE', `/_sandbox/accounts/${world.key}`);
    }),
    { seed: fuzzSeed, numRuns: rounds, endOnFailure: true },
  );
  expect(accepted).toBeGreaterThan(rounds / 20);
});
