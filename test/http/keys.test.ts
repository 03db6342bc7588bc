/** Any non-empty Bearer token is a key, whatever its letters and its length, and every way to name an account means the same one. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { newWorld, type Control } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';

let sandbox: Sandbox;
let guarded: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  guarded = await startTestSandbox({ apiKeys: ['ключ'], controlToken: 'жетон' });
});
afterAll(async () => {
  await sandbox.close();
  await guarded.close();
});

/** One call whose headers go out byte by byte as given, which fetch does for Latin-1 alone. */
function status(of: Sandbox, path: string, headers: Record<string, Buffer>): Promise<number> {
  return new Promise((resolve, reject) => {
    const bytes: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers)) bytes[name] = value.toString('latin1');
    const call = request(of.url + path, { headers: bytes }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    call.on('error', reject).end();
  });
}

const bearer = (key: string, encoding: BufferEncoding = 'utf8') => ({
  authorization: Buffer.from(`Bearer ${key}`, encoding),
});

async function keys(): Promise<string[]> {
  const { items } = await newWorld(sandbox).get<{ items: Control['Account'][] }>('/_sandbox/accounts?limit=1000');
  return items.map(({ key }) => key);
}

describe('a key', () => {
  it.each(['ends-in-Р', 'x'.repeat(512)])('%s names an account that can be dropped by it', async (key) => {
    expect(await status(sandbox, '/v1/templates', bearer(key))).toBe(200);
    expect(await keys()).toContain(key);
    await newWorld(sandbox).delete(`/_sandbox/accounts/${encodeURIComponent(key)}`);
    expect(await keys()).not.toContain(key);
  });

  it('of at most 2,048 characters is taken, such as a JWT', async () => {
    expect(await status(sandbox, '/v1/templates', bearer('x'.repeat(2_048)))).toBe(200);
    expect(await status(sandbox, '/v1/templates', bearer('x'.repeat(2_049)))).toBe(401);
  });

  it('in Latin-1 means the same as in UTF-8', async () => {
    expect(await status(sandbox, '/v1/templates', bearer('café au lait', 'latin1'))).toBe(200);
    expect(await status(sandbox, '/v1/templates', bearer('café au lait'))).toBe(200);
    expect((await keys()).filter((key) => key.startsWith('caf'))).toEqual(['café au lait']);
  });

  it('of a list, and the control token, may have any letters', async () => {
    const token = { 'x-sandbox-token': Buffer.from('жетон') };
    expect(await status(guarded, '/v1/templates', bearer('ключ'))).toBe(200);
    expect(await status(guarded, '/v1/templates', bearer('ключи'))).toBe(401);
    expect(await status(guarded, '/_sandbox/clock', { ...bearer('ключ'), ...token })).toBe(200);
    expect(await status(guarded, '/_sandbox/clock', bearer('жетон'))).toBe(200);
    expect(await status(guarded, '/_sandbox/clock', bearer('ключ'))).toBe(401);
  });
});
