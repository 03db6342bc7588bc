/** Uploads are limited by the memory that they take, not by their size in transit. */
import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { newWorld } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox, it } = useSandbox();

async function upload(method: string, path: string, body: Buffer) {
  const response = await fetch(sandbox.url + path, {
    method,
    headers: { authorization: 'Bearer uploads', 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body,
  });
  return { status: response.status, error: ((await response.json()) as { error: { message: string } }).error };
}

describe('a compressed upload', () => {
  it('of a snapshot of more than 64 MB after inflation is refused', async () => {
    const body = gzipSync(`{"version":2,"state":[${'{},'.repeat(25_000_000)}{}]}`);
    expect(body.length).toBeLessThan(100_000);
    expect((await upload('PUT', '/_sandbox/snapshots/x', body)).status).toBe(413);
    expect(await newWorld(sandbox, 'uploads').items('/_sandbox/snapshots')).toEqual([]);
  });

  it.each([
    ['POST', '/v1/messages'],
    ['POST', '/_sandbox/rules'],
    ['POST', '/_sandbox/sink/a'],
  ])('%s %s of more than 1 MB after inflation is refused', async (method, path) => {
    const { status, error } = await upload(method, path, gzipSync(`{"text":"${'x'.repeat(1024 ** 2)}"}`));
    expect([status, error.message]).toEqual([413, expect.stringContaining('larger than 1 MB')]);
  });
});

it('the journal keeps the beginning of a large body, and lists show no bodies', async ({ world }) => {
  const text = `{"to":[${'{},'.repeat(300_000)}{}]}`;
  expect((await world.call('POST', '/v1/messages', text)).status).toBe(400);
  const [listed] = await world.items<{ id: string; request: object; response: object }>('/_sandbox/requests');
  expect([listed?.request, listed?.response]).toEqual([
    { headers: expect.any(Object) as object, truncated: true },
    { headers: expect.any(Object) as object },
  ]);
  const shown = await world.get(`/_sandbox/requests/${listed?.id ?? ''}`);
  expect(shown).toMatchObject({ request: { body: text.slice(0, 64 * 1024) }, response: { body: { error: {} } } });
});

it('a page of large entries ends before its limit, and the next one goes on', async ({ world }) => {
  for (let n = 0; n < 140; n += 1) await world.call('POST', '/_sandbox/sink/large', `${n}${'x'.repeat(64 * 1024)}`);
  const page = (after: number) =>
    world.get<{ items: { seq: number; body: string }[]; next: number }>(
      `/_sandbox/sink/large/received?limit=1000&after=${after}`,
    );
  const first = await page(0);
  expect([first.items.length, first.next]).toEqual([127, first.items.at(-1)?.seq]);
  expect((await page(first.next)).items[0]?.body).toMatch(/^127x/);
});
