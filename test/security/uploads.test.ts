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

it('the journal keeps the beginning of a long body, and says so', async ({ world }) => {
  const text = `{"to":[${'{},'.repeat(100_000)}{}]}`;
  expect((await world.call('POST', '/v1/messages', text)).status).toBe(400);
  const [row] = sandbox.accounts.of(world.key).store.tables.requests.all();
  expect(row?.request).toMatchObject({ text: text.slice(0, 65_536), truncated: true });
});

it('a call with many unknown properties is warned of some of them', async ({ world }) => {
  const extra = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`extra_${n}`, n]));
  const template = { name: 'many', category: 'utility', language: 'en', body: 'Hi' };
  expect((await world.call('POST', '/v1/templates', { ...template, ...extra })).status).toBe(200);
  const [entry] = await world.items<{ warnings: string[] }>('/_sandbox/requests');
  expect(entry?.warnings).toHaveLength(101);
  expect(entry?.warnings.at(-1)).toBe('900 more warnings were omitted.');
});
