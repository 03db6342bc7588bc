/** A web page of another origin sends forms and fetches to the sandbox, and tries to read the responses. */
import { describe, expect, it } from 'vitest';
import { rawRequest, type RawAnswer } from '../support/raw-http.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox({ clock: { mode: 'frozen', scale: 1, startMs: null } });

const codeOf = ({ body }: RawAnswer): unknown => (JSON.parse(body) as { error: { code: string } }).error.code;
const json = ['Content-Type', 'application/json'] as const;
const key = ['Authorization', 'Bearer security'] as const;

describe('a page of another origin', () => {
  const from = (origin: string, method: string, path: string, body = '') =>
    rawRequest(
      sandbox.url,
      method,
      path,
      [['Host', 'localhost:4242'], ['Origin', origin], key, ...(body === '' ? [] : [json])],
      body,
    );

  it.each([
    ['POST', '/v1/webhooks', '{"url":"https://evil.example/","events":["message.status"]}'],
    ['POST', '/_sandbox/reset', ''],
    ['POST', '/_sandbox/sink/name', '{}'],
    ['OPTIONS', '/v1/messages', ''],
  ])('may not %s %s', async (method, path, body) => {
    for (const origin of ['https://evil.example', 'http://localhost', 'http://localhost:4243', 'null', '']) {
      const answer = await from(origin, method, path, body);
      expect([origin, answer.status, codeOf(answer)]).toEqual([origin, 403, 'forbidden']);
    }
  });

  it('of the sandbox itself may', async () => {
    expect((await from('http://localhost:4242', 'PUT', '/_sandbox/clock', '{"mode":"frozen"}')).status).toBe(200);
  });

  it('learns nothing by reading: no response has a CORS header', async () => {
    for (const [method, path] of [
      ['GET', '/_sandbox/clock'],
      ['GET', '/v1/templates'],
      ['OPTIONS', '/v1/messages'],
    ] as const)
      expect((await from('https://evil.example', method, path)).head).not.toMatch(/access-control/i);
  });

  // A browser may leave the Origin out: the form's own type gives it away, even if it is empty.
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'has no simple request to make with a body of %s',
    async (type) => {
      for (const [method, path] of [
        ['POST', '/v1/messages'],
        ['POST', '/_sandbox/reset'],
        ['POST', '/_sandbox/snapshots/a/restore'],
        ['DELETE', '/_sandbox/requests'],
      ] as const) {
        for (const body of path.startsWith('/v1') ? ['a=b'] : ['', 'a=b']) {
          const length = body === '' ? [['Content-Length', '0'] as const] : [];
          const headers = [['Host', 'localhost'] as const, key, ['Content-Type', type] as const, ...length];
          const answer = await rawRequest(sandbox.url, method, path, headers, body);
          expect([path, body, answer.status, codeOf(answer)]).toEqual([path, body, 415, 'unsupported_media_type']);
        }
      }
    },
  );

  it('costs a program nothing: a call without a body needs no type, or says JSON', async () => {
    for (const type of [[], [json]]) {
      const headers = [['Host', 'localhost'] as const, ...type, ['Content-Length', '0'] as const];
      expect((await rawRequest(sandbox.url, 'POST', '/_sandbox/reset', headers)).status).toBe(204);
    }
  });
});
