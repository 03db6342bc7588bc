/** Kept records are limited by their bytes, not only by their number. */
import { describe, expect } from 'vitest';
import { maxAttemptBytes, maxJournalBytes, maxSinkBytes } from '../../src/domain/limits.js';
import { type Control, type World } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';

const megabyte = 1024 * 1024;
/** A body just below the limit of one. */
const padding = 'x'.repeat(megabyte - 100);

const { sandbox, it } = useSandbox({ clock: { mode: 'frozen', scale: 1, startMs: 0 } });

const tablesOf = (world: World) => sandbox.accounts.of(world.key).store.tables;
const hits = Math.ceil(maxJournalBytes / padding.length) + 3;

describe('the journal', () => {
  it('lets its oldest entries go when large bodies fill it, and counts anew when it is emptied', async ({ world }) => {
    await world.get('/v1/templates');
    for (let n = 0; n < hits; n += 1) await world.call('POST', '/v1/messages', { padding });
    const { requests } = tablesOf(world);
    expect(requests.size).toBe(63);
    expect(requests.weight).toBeLessThanOrEqual(maxJournalBytes);
    expect(requests.weight).toBeGreaterThan(maxJournalBytes - 2 * megabyte);
    expect(await world.get('/_sandbox/requests?method=GET')).toEqual({ items: [], next: null, trimmed: hits + 1 - 63 });
    await world.delete('/_sandbox/requests');
    expect([requests.size, requests.weight]).toEqual([0, 0]);
    expect(await world.get('/_sandbox/requests')).toEqual({ items: [], next: null });
  });

  it('keeps the beginning of an answer that is larger than an entry may be', async ({ world }) => {
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

it('sinks let their oldest requests go when large bodies fill them', async ({ world }) => {
  for (let n = 0; n < hits; n += 1) await world.call('POST', '/_sandbox/sink/app', padding);
  const { sinkRequests } = tablesOf(world);
  expect(sinkRequests.size).toBe(63);
  expect(sinkRequests.weight).toBeLessThanOrEqual(maxSinkBytes);
  expect(await world.get('/_sandbox/sink/app/received?limit=1')).toMatchObject({ trimmed: hits - 63 });
});

it('the oldest attempts of finished deliveries go when large bodies fill them', async ({ world }) => {
  await world.register('https://sink.sandbox/app');
  await world.post('/_sandbox/rules', { when: 'webhook.deliver', then: { webhook: { body: 'huge' } } });
  // Each attempt has two megabytes.
  const wanted = maxAttemptBytes / (2 * megabyte) + 2;
  for (let n = 0; n < wanted; n += 1) await world.post('/_sandbox/events', { type: 'message.status' });
  await world.idle();
  const { attempts } = tablesOf(world);
  expect(attempts.size).toBe(31);
  expect(attempts.weight).toBeLessThanOrEqual(maxAttemptBytes);
  const [newest] = await world.deliveries('?order=desc&limit=1');
  expect(newest?.attempts[0]?.request).not.toHaveProperty('truncated');
});
