/** Callers without the control token: it is missing, wrong, or in the wrong place. */
import { expect, it } from 'vitest';
import { isToken } from '../../src/http/guard.js';
import { World } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox({ controlToken: 'let-me-in', clock: { mode: 'frozen', scale: 1, startMs: null } });

const get = (path: string, headers: Record<string, string> = {}) => fetch(sandbox.url + path, { headers });

it('missing or wrong is 401 on the control plane, before the path is looked at', async () => {
  const wrong: Record<string, string>[] = [
    {},
    { 'X-Sandbox-Token': 'let-me-i' },
    { 'X-Sandbox-Token': '' },
    { authorization: 'Bearer test_default' },
    { authorization: 'Basic let-me-in' },
    { 'X-Sandbox-Token': 'wrong', authorization: 'Bearer let-me-in' },
  ];
  for (const headers of wrong) {
    for (const path of ['/_sandbox/clock', '/_sandbox/openapi.json', '/_sandbox/nowhere']) {
      const response = await get(path, headers);
      expect([path, response.status], JSON.stringify(headers)).toEqual([path, 401]);
      expect(await response.json()).toMatchObject({ error: { code: 'unauthorized' } });
    }
  }
});

it('in its own header lets in, and the key still names the account', async () => {
  await new World(sandbox.url, 'mine').call('GET', '/v1/templates');
  const requests = await get('/_sandbox/requests', { 'X-Sandbox-Token': 'let-me-in', authorization: 'Bearer mine' });
  expect(((await requests.json()) as { items: unknown[] }).items).toHaveLength(1);
});

it('as the Bearer key acts on the default account, and creates none of its own', async () => {
  const world = new World(sandbox.url, 'let-me-in');
  await world.inbound('+12025550150', { text: 'Hello' });
  const own = { 'X-Sandbox-Token': 'let-me-in', authorization: 'Bearer test_default' };
  expect(await (await get('/_sandbox/customers', own)).json()).toMatchObject({ items: [{ phone: '+12025550150' }] });
  expect((await world.items<{ key: string }>('/_sandbox/accounts')).map(({ key }) => key)).not.toContain('let-me-in');
});

it('is not asked for by the API plane and the health calls', async () => {
  for (const path of ['/v1/templates', '/livez', '/readyz'])
    expect((await get(path, { authorization: 'Bearer any' })).status).toBe(200);
});

it('is compared with a guess of any length', () => {
  for (const guess of ['', 'l', 'let-me-in ', 'let-me-i', 'x'.repeat(10_000), '\u0000', '\ud800'])
    expect(isToken(guess, 'let-me-in')).toBe(false);
  expect(isToken('let-me-in', 'let-me-in')).toBe(true);
});
