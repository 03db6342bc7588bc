/** An attacker's page lets its own name resolve to 127.0.0.1, so that a browser takes the sandbox for the page's own server. */
import { describe, expect, it } from 'vitest';
import { closing } from '../support/closing.js';
import { rawRequest, sendRaw, type RawAnswer } from '../support/raw-http.js';
import { startTestSandbox, useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox({ clock: { mode: 'frozen', scale: 1, startMs: null } });

const codeOf = ({ body }: RawAnswer): unknown => (JSON.parse(body) as { error: { code: string } }).error.code;

describe('the Host header', () => {
  const call = (host: string, path = '/_sandbox/clock') => rawRequest(sandbox.url, 'GET', path, [['Host', host]]);

  it.each([
    '127.0.0.1',
    '[::1]:4242',
    '10.1.2.3',
    '203.0.113.9:80',
    'localhost',
    'sandbox',
    'app.localhost',
    'my.service.test',
    'printer.local:80',
    'host.docker.internal:4242',
  ])('%s is let in', async (host) => {
    expect((await call(host)).status).toBe(200);
  });

  it.each([
    'attacker.example',
    '127.0.0.1.attacker.example',
    'localhost.attacker.example',
    'attackerlocal.com',
    'attacker.example.',
    'localhost@attacker.example',
    'attacker.example@localhost',
    'localhost#attacker.example',
    'localhost\\attacker.example',
    '',
  ])('%j is refused, on both planes and the page, before anything else', async (host) => {
    for (const path of ['/_sandbox/clock', '/v1/templates', '/']) {
      const answer = await call(host, path);
      expect([answer.status, codeOf(answer)], path).toEqual([403, 'forbidden']);
    }
  });

  it('may not be missing, as HTTP/1.0 allows, and a sentence says so', async () => {
    const answer = await sendRaw(sandbox.url, 'GET /_sandbox/clock HTTP/1.0\r\n\r\n');
    expect([answer.status, codeOf(answer)]).toEqual([403, 'forbidden']);
    expect(answer.body).toContain('The Host header is missing');
    expect(answer.body).toContain('Send a Host header, such as');
  });

  it('in the request line, or forwarded, does not count', async () => {
    const absolute = await rawRequest(sandbox.url, 'GET', 'http://localhost/_sandbox/clock', [
      ['Host', 'evil.example'],
    ]);
    expect(absolute.status).toBeGreaterThanOrEqual(400);
    const forwarded = await rawRequest(sandbox.url, 'GET', '/_sandbox/clock', [
      ['Host', 'evil.example'],
      ['X-Forwarded-Host', 'localhost'],
      ['Forwarded', 'host=localhost'],
    ]);
    expect(forwarded.status).toBe(403);
  });

  it('may be one that was allowed at start, and no other name under it', async () => {
    const open = closing(await startTestSandbox({ allowedHosts: ['sandbox.example'] }));
    const statusFor = async (host: string) =>
      (await rawRequest(open.url, 'GET', '/_sandbox/clock', [['Host', host]])).status;
    expect(await statusFor('sandbox.example:4242')).toBe(200);
    expect(await statusFor('Sandbox.Example')).toBe(200);
    expect(await statusFor('www.sandbox.example')).toBe(403);
    expect(await statusFor('evilsandbox.example')).toBe(403);
  });

  it('does not matter to the health calls, which say nothing', async () => {
    for (const path of ['/livez', '/readyz']) {
      expect(await call('anything.example', path)).toMatchObject({ status: 200, body: 'ok' });
    }
  });
});
