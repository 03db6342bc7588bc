/**
 * An attacker who reaches the port has no token: the attacker omits it, guesses it, or measures how long a rejection
 * takes.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isToken } from '../../src/http/guard.js';
import { World } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';

describe('the control token', () => {
  const { sandbox: guarded } = useSandbox({
    controlToken: 'let-me-in',
    clock: { mode: 'frozen', scale: 1, startMs: null },
  });

  const get = (path: string, headers: Record<string, string> = {}) => fetch(guarded.url + path, { headers });

  it('missing or wrong is 401 on the control plane and the metrics, before a path is judged', async () => {
    const wrong: Record<string, string>[] = [
      {},
      { 'X-Sandbox-Token': 'let-me-i' },
      { 'X-Sandbox-Token': 'LET-ME-IN' },
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
    await new World(guarded.url, 'mine').call('GET', '/v1/templates');
    const accounts = await get('/_sandbox/requests', { 'X-Sandbox-Token': 'let-me-in', authorization: 'Bearer mine' });
    expect(((await accounts.json()) as { items: unknown[] }).items).toHaveLength(1);
  });

  it('as the Bearer key acts on the default account, and makes none of its own', async () => {
    const headers = { authorization: 'Bearer let-me-in' };
    const inbound = await fetch(`${guarded.url}/_sandbox/inbound`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ from: '+12025550150', text: 'Hello' }),
    });
    expect(inbound.status).toBe(200);
    const own = { 'X-Sandbox-Token': 'let-me-in', authorization: 'Bearer test_default' };
    const customers = (await (await get('/_sandbox/customers', own)).json()) as { items: { phone: string }[] };
    expect(customers.items.map(({ phone }) => phone)).toEqual(['+12025550150']);
    const accounts = (await (await get('/_sandbox/accounts', headers)).json()) as { items: { key: string }[] };
    expect(accounts.items.map((account) => account.key)).not.toContain('let-me-in');
  });

  it('is not asked for by the API plane and the health calls', async () => {
    expect((await get('/v1/templates', { authorization: 'Bearer any' })).status).toBe(200);
    expect((await get('/livez')).status).toBe(200);
    expect((await get('/readyz')).status).toBe(200);
  });
});

describe('how a secret is compared', () => {
  /** The functions that check a secret. */
  const comparing = [
    'src/accounts/registry.ts',
    'src/http/guard.ts',
    'src/http/control/control-router.ts',
    'src/http/pages/docs.ts',
    'src/http/guard.ts',
    'src/live/upgrade.ts',
    'src/webhooks/sign.ts',
  ];
  const source = (path: string) => readFileSync(path, 'utf8');

  // A test that measures time proves little and fails on a busy machine, so this one checks the code.
  it('never character by character: the token by timingSafeEqual over digests of one length', () => {
    const compare = /export function isToken\([^]*?\n}\n/.exec(source('src/http/guard.ts'))?.[0] ?? '';
    expect(compare).toContain('timingSafeEqual(digest(given), digest(token))');
    expect(compare).not.toMatch(/===|\.length/);
    for (const path of comparing) {
      expect(source(path), path).not.toMatch(/(?:===|!==) (?:\w+\.)*(?:token|controlToken|secret|apiKeys?)\b/);
      expect(source(path), path).not.toMatch(/\.(?:includes|startsWith|indexOf)\((?:key|given|token)\b/);
    }
  });

  it('gives the same answer whatever the length and content of a guess', () => {
    for (const guess of ['', 'l', 'let-me-in ', 'let-me-i', 'LET-ME-IN', 'x'.repeat(10_000), '\u0000', '\ud800']) {
      expect(isToken(guess, 'let-me-in')).toBe(false);
    }
    expect(isToken('let-me-in', 'let-me-in')).toBe(true);
  });
});
