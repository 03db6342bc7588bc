/** The report of an exploration, which a browser can open. */
import { expect } from 'vitest';
import { useSandbox } from '../support/sandbox.js';

const { sandbox, it } = useSandbox();

it('is stored by the command and shown to a browser, in an origin of its own', async () => {
  const address = `${sandbox.url}/_sandbox/explore`;
  const linked = async () =>
    ((await (await fetch(`${sandbox.url}/_sandbox/info`)).json()) as { exploration?: string }).exploration;
  const before = await fetch(address);
  expect([before.status, await before.text()]).toEqual([404, expect.stringContaining('messaging-sandbox explore')]);
  expect(await linked()).toBeUndefined();
  const headers = { 'content-type': 'text/html' };
  const body = '<!doctype html><title>Exploration</title><script>document.title += 1</script>';
  const stored = await fetch(address, { method: 'PUT', headers, body });
  expect(stored.status).toBe(204);
  const after = await fetch(sandbox.url + String(await linked()));
  expect([after.status, await after.text()]).toEqual([200, body]);
  expect(after.headers.get('content-security-policy')).toMatch(/^sandbox allow-scripts; default-src 'none'/);
});
