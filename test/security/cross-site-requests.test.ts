/** An attacker's page sends forms and fetches to the sandbox of whoever looks at it, and tries to read the answers. */
import { describe, expect, it } from 'vitest';
import { rawRequest, type RawAnswer } from '../support/raw-http.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox({ clock: { mode: 'frozen', scale: 1, startMs: null } });

const codeOf = ({ body }: RawAnswer): unknown => (JSON.parse(body) as { error: { code: string } }).error.code;
const json = ['Content-Type', 'application/json'] as const;
const key = ['Authorization', 'Bearer security'] as const;

describe('a page of another origin', () => {
  const from = (origin: string, method: string, path: string, body = '', more: [string, string][] = []) =>
    rawRequest(
      sandbox.url,
      method,
      path,
      [['Host', 'localhost:4242'], ['Origin', origin], key, ...(body === '' ? [] : [json]), ...more],
      body,
    );

  it.each([
    ['POST', '/v1/webhooks', '{"url":"https://evil.example/","events":["message.status"]}'],
    ['DELETE', '/v1/webhooks/00000000-0000-4000-8000-000000000000', ''],
    ['POST', '/_sandbox/reset', ''],
    ['POST', '/_sandbox/reset', '{}'],
    ['PUT', '/_sandbox/clock', '{"mode":"real"}'],
    ['DELETE', '/_sandbox/requests', ''],
    ['POST', '/_sandbox/sink/name', '{}'],
    ['OPTIONS', '/v1/messages', ''],
  ])('may not %s %s', async (method, path, body) => {
    for (const origin of ['https://evil.example', 'http://localhost', 'http://localhost:4243', 'null', 'file://', '']) {
      const answer = await from(origin, method, path, body);
      expect([origin, answer.status, codeOf(answer)]).toEqual([origin, 403, 'forbidden']);
    }
  });

  it('of the sandbox itself may', async () => {
    expect((await from('http://localhost:4242', 'PUT', '/_sandbox/clock', '{"mode":"frozen"}')).status).toBe(200);
  });

  it('learns nothing by reading: no CORS header on any answer, a preflight included', async () => {
    const preflight: [string, string][] = [['Access-Control-Request-Method', 'POST']];
    for (const answer of [
      await from('https://evil.example', 'GET', '/_sandbox/clock'),
      await from('https://evil.example', 'GET', '/v1/templates'),
      await from('https://evil.example', 'OPTIONS', '/v1/messages', '', preflight),
      await from('http://localhost:4242', 'GET', '/_sandbox/info'),
    ]) {
      expect(answer.head).not.toMatch(/access-control/i);
    }
  });

  it('has no simple request to make: a body of another type is refused', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
    ];
    for (const type of types) {
      for (const path of ['/v1/messages', '/_sandbox/reset', '/_sandbox/inbound']) {
        const headers = [['Host', 'localhost'], key, ['Content-Type', type]] as const;
        const answer = await rawRequest(sandbox.url, 'POST', path, headers, '{"keep":[]}');
        expect([type, path, answer.status, codeOf(answer)]).toEqual([type, path, 415, 'unsupported_media_type']);
      }
    }
    const untyped = await rawRequest(sandbox.url, 'POST', '/_sandbox/reset', [['Host', 'localhost'], key], '{}');
    expect(untyped.status).toBe(415);
  });

  // An old browser, or an extension in between, may leave the Origin out: the form's own type gives it away.
  it.each([
    ['POST', '/_sandbox/reset'],
    ['POST', '/_sandbox/idle'],
    ['POST', '/_sandbox/snapshots/a/restore'],
    ['POST', '/_sandbox/snapshots'],
    ['DELETE', '/_sandbox/scenario'],
    ['DELETE', '/_sandbox/requests'],
  ])('has no form to %s %s with, be it empty', async (method, path) => {
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']) {
      for (const body of ['', 'a=b']) {
        const headers = [
          ['Host', 'localhost'],
          ['Content-Type', type],
          ...(body === '' ? [['Content-Length', '0'] as const] : []),
        ] as const;
        const answer = await rawRequest(sandbox.url, method, path, headers, body);
        expect([answer.status, codeOf(answer)], `${type} ${body}`).toEqual([415, 'unsupported_media_type']);
      }
    }
  });

  it('costs a program nothing: a call without a body needs no type, or says JSON', async () => {
    for (const type of [[], [json]]) {
      const headers = [['Host', 'localhost'] as const, ...type, ['Content-Length', '0'] as const];
      expect((await rawRequest(sandbox.url, 'POST', '/_sandbox/reset', headers)).status).toBe(204);
    }
  });
});
