/** What is kept for show is limited by what it takes, not by its number alone (contract §9). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smallBody } from '../../src/domain/delivery.js';
import { maxAttemptBytes, maxJournalBytes, maxSinkBytes } from '../../src/domain/limits.js';
import type { Sandbox } from '../../src/sandbox.js';
import { newWorld, type Control, type World } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';

const megabyte = 1024 * 1024;
/** A body just below the limit of one. */
const padding = 'x'.repeat(megabyte - 100);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ clock: { mode: 'frozen', scale: 1, startMs: 0 } });
});
afterAll(() => sandbox.close());

const tablesOf = (world: World) => sandbox.accounts.of(world.key).store.tables;
const hits = Math.ceil(maxJournalBytes / padding.length) + 3;

describe('the journal', () => {
  it('lets its oldest entries go when large bodies fill it, and counts anew when it is emptied', async () => {
    const world = newWorld(sandbox);
    await world.get('/v1/templates');
    for (let n = 0; n < hits; n += 1) await world.call('POST', '/v1/messages', { padding });
    const { requests } = tablesOf(world);
    expect(requests.size).toBe(Math.floor(maxJournalBytes / (padding.length + 200)));
    expect(requests.weight).toBeLessThanOrEqual(maxJournalBytes);
    expect(requests.weight).toBeGreaterThan(maxJournalBytes - 2 * megabyte);
    expect(await world.items('/_sandbox/requests?method=GET')).toEqual([]);
    await world.delete('/_sandbox/requests');
    expect([requests.size, requests.weight]).toEqual([0, 0]);
  });

  it.each([
    ['said by its header', {}, (text: string) => text],
    ['sent in pieces', { duplex: 'half' }, (text: string) => new Blob([text]).stream()],
  ])('counts a body %s', async (_how, more, bodyOf) => {
    const world = newWorld(sandbox);
    const text = JSON.stringify({ to: 'a', filler: 'y'.repeat(1000) });
    const answer = await fetch(`${sandbox.url}/v1/messages?page=1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      body: bodyOf(text),
      ...more,
    } as RequestInit);
    const answered = (await answer.text()).length;
    expect(tablesOf(world).requests.weight).toBe('/v1/messages'.length + 'page=1'.length + text.length + answered);
  });

  it('keeps the beginning of an answer that is larger than an entry may be', async () => {
    const world = newWorld(sandbox);
    const id = await world.template('one', {}, false);
    const { store, ids } = sandbox.accounts.of(world.key);
    const one = { ...store.tables.templates.get(id)!, rejectionReason: 'r'.repeat(1024) };
    store.update(() => {
      for (let n = 0; n < 1000; n += 1) store.tables.templates.insert({ ...one, id: ids.uuid(), seq: store.nextSeq() });
    });
    expect((await world.get<{ templates: unknown[] }>('/v1/templates')).templates).toHaveLength(1001);
    const [entry] = await world.items<Control['JournalRequest']>('/_sandbox/requests?operation=template.list');
    expect(entry?.response?.truncated).toBe(true);
    expect(entry?.response?.body).toMatch(/^\{"templates":\[\{"id"/);
    expect(entry?.response?.body).toHaveLength(64 * 1024);
    expect(tablesOf(world).requests.weight).toBeLessThan(megabyte);
  });
});

it('sinks let their oldest requests go when large bodies fill them', async () => {
  const world = newWorld(sandbox);
  for (let n = 0; n < hits; n += 1) await world.call('POST', '/_sandbox/sink/app', padding);
  const { sinkRequests } = tablesOf(world);
  expect(sinkRequests.size).toBe(Math.floor(maxSinkBytes / (padding.length + 2)));
  expect(sinkRequests.weight).toBe(sinkRequests.size * padding.length);
});

it('attempts keep the beginnings of large bodies once these take too much', async () => {
  const world = newWorld(sandbox);
  await world.register('https://sink.sandbox/app');
  await world.post('/_sandbox/rules', { when: 'webhook.deliver', then: { webhook: { body: 'huge' } } });
  const of = { type: 'message.status' };
  // Each is of two megabytes.
  const wanted = maxAttemptBytes / (2 * megabyte) + 2;
  for (let n = 0; n < wanted; n += 1) await world.post('/_sandbox/events', of);
  await world.idle();
  const attempts = [...tablesOf(world).attempts.all()];
  expect(attempts).toHaveLength(wanted);
  expect(tablesOf(world).attempts.weight).toBeLessThanOrEqual(maxAttemptBytes);
  expect(attempts[0]?.request.body.length).toBeGreaterThan(2 * megabyte);
  const shown = (await world.deliveries('?order=desc&limit=1'))[0]?.attempts[0]?.request;
  expect(shown).toMatchObject({ truncated: true });
  expect(shown?.body).toHaveLength(smallBody);
});
