/** What fails before it is a request has the envelope of every other error. */
import { describe, expect, it } from 'vitest';
import { dialectOf } from '../../src/dialect/index.js';
import { World } from '../support/client.js';
import { closing } from '../support/closing.js';
import { rawRequest, sendRaw } from '../support/raw-http.js';
import { startTestSandbox, useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

const send = async (url: string, ...lines: string[]) => {
  const { status, head, body } = await sendRaw(url, lines.join('\r\n'));
  expect(head).toMatch(/^Content-Type: application\/json; charset=utf-8$/m);
  expect(head).toMatch(/^X-Sandbox: \d/m);
  return { status, ...(JSON.parse(body) as { error?: { code: string; message: string } }) };
};

describe('a malformed request', () => {
  it.each([
    ['no HTTP', ['hello', '', ''], 'Invalid method encountered'],
    ['a header without a colon', ['GET /v1/templates HTTP/1.1', 'Host: a', 'no colon', '', ''], 'Invalid header token'],
    ['two lengths', ['POST /v1/messages HTTP/1.1', 'Content-Length: 1', 'Content-Length: 2', '', 'ab'], ''],
  ])('%s gets 400 with code and message', async (_what, lines, reason) => {
    const { status, error } = await send(sandbox.url, ...lines);
    expect([status, error?.code]).toEqual([400, 'validation_error']);
    expect(error?.message).toMatch(/^The request is not valid HTTP: .*\.$/);
    expect(error?.message).toContain(reason);
  });

  it('that does not end gets 408', async () => {
    const timeouts = { headersMs: 20, requestMs: 20, checkEveryMs: 5 };
    const impatient = closing(await startTestSandbox({}, { timeouts }));
    const { status, error } = await send(impatient.url, 'GET /v1/templates HTTP/1.1', '');
    expect([status, error?.code]).toEqual([408, 'request_timeout']);
  });

  it.each(['/v1/templates', '/_sandbox/clock'])('without Host gets 400 at %s', async (path) => {
    const { status, body } = await rawRequest(sandbox.url, 'GET', path, []);
    expect([status, JSON.parse(body)]).toEqual([
      400,
      {
        error: {
          code: 'validation_error',
          message: 'The Host header is missing. Send a Host header, such as "Host: localhost".',
        },
      },
    ]);
  });

  it('that wants a tunnel gets 405', async () => {
    const { status, error } = await send(sandbox.url, 'CONNECT a.test:443 HTTP/1.1', 'Host: a.test:443', '', '');
    expect([status, error?.code]).toEqual([405, 'method_not_allowed']);
    expect(error?.message).toMatch(/^CONNECT is not supported: the sandbox is not a proxy\./);
  });

  it.each(['/v1/templates', '/_sandbox/clock'])('with an unknown Expect gets 417 at %s', async (path) => {
    const lines = [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Expect: a-miracle', 'Content-Length: 2', '', '{}'];
    const { status, error } = await send(sandbox.url, ...lines);
    expect([status, error]).toEqual([
      417,
      {
        code: 'expectation_failed',
        message: 'The Expect header "a-miracle" is not supported. Send "Expect: 100-continue", or omit the header.',
      },
    ]);
  });

  it.each([
    [417, 'Expect: a-miracle'],
    [408, 'Content-Type: application/json'],
  ])('with a key gets %i, and is in the journal of its account as it was answered', async (expected, header) => {
    const timeouts = { headersMs: 200, requestMs: 200, checkEveryMs: 5 };
    const impatient = closing(await startTestSandbox({}, { timeouts }));
    const world = new World(impatient.url, 'worker');
    const lines = ['POST /v1/messages HTTP/1.1', 'Host: localhost', 'Authorization: Bearer worker', header];
    const { status, head } = await sendRaw(impatient.url, [...lines, 'Content-Length: 200', '', '{"to":'].join('\r\n'));
    expect(status).toBe(expected);
    const [, id] = /^X-Sandbox-Request: (\S+)$/m.exec(head) ?? [];
    const journal = await world.items<{ id: string; status: number }>('/_sandbox/requests');
    expect(journal).toMatchObject([{ id, status: expected }]);
  });

  it('follows the dialect', async () => {
    const errors = { envelope: 'flat', status: { headers_too_large: 413 } } as const;
    const flat = closing(await startTestSandbox({ dialect: dialectOf({ errors }) }));
    const answer = await send(flat.url, 'GET / HTTP/1.1', `X: ${'x'.repeat(20_000)}`, '', '');
    expect(answer).toMatchObject({ status: 413, code: 'headers_too_large' });
  });
});
