/** The report of an exploration, which a browser can open. */
import { expect } from 'vitest';
import { useSandbox } from '../support/sandbox.js';

const { sandbox, it } = useSandbox();

it('is stored by the command and shown to a browser, in an origin of its own', async () => {
  const open = () => fetch(`${sandbox.url}/_sandbox/explore`, { headers: { accept: 'text/html,*/*;q=0.8' } });
  const before = await open();
  expect([before.status, await before.text()]).toEqual([404, expect.stringContaining('messaging-sandbox explore')]);
  const headers = { 'content-type': 'text/html' };
  const body = '<!doctype html><title>Exploration</title><script>document.title += 1</script>';
  const stored = await fetch(`${sandbox.url}/_sandbox/explore`, { method: 'PUT', headers, body });
  expect(stored.status).toBe(204);
  const after = await open();
  expect([after.status, await after.text()]).toEqual([200, body]);
  expect(after.headers.get('content-security-policy')).toMatch(/^sandbox allow-scripts; default-src 'none'/);
  const other = await fetch(`${sandbox.url}/_sandbox/explore`, { headers: { accept: 'application/json' } });
  expect(await other.json()).toMatchObject({ state: 'none' });
});
