/**
 * Bytes that no client would send, on raw sockets: limits hold, no client waits forever, no connection remains open,
 * and the next client is served.
 */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { newWorld, type Control } from '../support/client.js';
import { useCheckedSandbox } from '../support/sandbox.js';
import { cases, fuzzSeed } from '../support/property.js';
import { Line, useServerSockets } from './support/sockets.js';

const frozen = { clock: { mode: 'frozen', scale: 1, startMs: null } } as const;

const { sandbox } = useCheckedSandbox(frozen);
useServerSockets(sandbox);

/** After each attack, clients are served as before. */
afterEach(async () => {
  const line = await Line.open(sandbox.url);
  line.write(
    'GET /v1/templates HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer clean\r\nConnection: close\r\n\r\n',
  );
  expect(await line.closed()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\{"templates":\[\]\}$/);
});

const head = (method: string, path: string, ...headers: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Authorization: Bearer raw', ...headers, '', ''].join('\r\n');
const post = (...headers: string[]) => head('POST', '/v1/messages', 'Content-Type: application/json', ...headers);
const text = '{"to":"+12025550110","type":"text","text":"Hi"}';

/** Sends bytes, ends the request, and returns the response. */
async function exchange(...parts: readonly (string | Buffer)[]): Promise<Line> {
  const line = await Line.open(sandbox.url);
  for (const part of parts) line.write(part);
  line.finish();
  await line.closed();
  return line;
}

describe('a client that dawdles', () => {
  /** Short enough for a test. */
  const timeouts = { headersMs: 60, requestMs: 150, checkEveryMs: 20 };
  const { sandbox: hasty } = useCheckedSandbox(frozen, { timeouts });
  useServerSockets(hasty);

  it.each([
    ['over the request line', 'GET /v1/temp'],
    ['over the headers', 'GET /v1/templates HTTP/1.1\r\nHost: localhost\r\nX-A: '],
    ['over the body', `${post('Content-Length: 1000')}{"to":`],
    ['over a chunk', `${post('Transfer-Encoding: chunked')}400\r\n{"to":`],
  ])('%s is answered 408, and the connection ends', async (_where, start) => {
    const line = await Line.open(hasty.url);
    line.write(start);
    await line.closed();
    expect(line.statuses[0]).toBe(408);
  });

  it('is not served for ever because it sends a byte now and then', async () => {
    const line = await Line.open(hasty.url);
    line.write('GET /v1/templates HTTP/1.1\r\n');
    // Sends one more header line whenever another client gets a response, and gets no longer time limit for it.
    const state = { over: false };
    const end = line.closed().then(() => (state.over = true));
    const world = newWorld(hasty);
    while (!state.over) {
      line.write('X-Slow: 1\r\n');
      await world.get('/v1/templates');
    }
    await end;
    expect(line.statuses[0]).toBe(408);
  });

  it('does not keep others waiting', async () => {
    const slow = await Promise.all(Array.from({ length: 50 }, () => Line.open(hasty.url)));
    for (const line of slow) line.write(`${post('Content-Length: 1000')}{`);
    expect(await newWorld(hasty).get('/v1/templates')).toEqual({ templates: [] });
    await Promise.all(slow.map((line) => line.closed()));
  });
});

describe('pipelined calls', () => {
  it('are answered in their order, whatever each takes', async () => {
    const calls = Array.from({ length: 60 }, (_, i) =>
      i % 3 === 0 ? `${post(`Content-Length: ${text.length}`)}${text}` : head('GET', `/v1/messages/number-${i}`),
    );
    const line = await exchange(calls.join(''));
    const expected = calls.map((call) => (call.startsWith('POST') ? 400 : 404));
    expect(line.statuses).toEqual(expected);
    const named = [...line.text.matchAll(/number-(\d+)/g)].map(([, i]) => Number(i));
    expect(named).toEqual(named.toSorted((a, b) => a - b));
    expect(named.length).toBe(40);
  });

  it('after one that cannot be read are not served', async () => {
    const line = await exchange(`${head('GET', '/v1/templates')}GARBAGE\r\n\r\n${head('GET', '/v1/webhooks')}`);
    // The first request may be lost with the connection; the bytes after it are not a request.
    expect([200, 400]).toContain(line.statuses[0]);
    expect(line.text).not.toContain('"webhooks"');
  });
});

describe('a body that is not framed as it should be', () => {
  const smuggled = head('GET', '/v1/messages/smuggled');

  it.each([
    ['both a length and chunks', `${post('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n${smuggled}`],
    ['two lengths', `${post('Content-Length: 5', 'Content-Length: 6')}12345${smuggled}`],
    ['a list of lengths', `${post('Content-Length: 5, 6')}12345${smuggled}`],
    ['a negative length', `${post('Content-Length: -1')}${smuggled}`],
    ['a length that is no number', `${post('Content-Length: 0x10')}${smuggled}`],
    ['a length beyond all numbers', `${post('Content-Length: 99999999999999999999999')}${smuggled}`],
    ['chunked that is not the last coding', `${post('Transfer-Encoding: chunked, gzip')}0\r\n\r\n${smuggled}`],
    ['a coding that nobody knows', `${post('Transfer-Encoding: xchunked')}0\r\n\r\n${smuggled}`],
    ['chunked behind a tab', `${post('Transfer-Encoding:\x0bchunked')}0\r\n\r\n${smuggled}`],
    ['a chunk size that is no number', `${post('Transfer-Encoding: chunked')}zz\r\n${text}\r\n0\r\n\r\n${smuggled}`],
    ['a chunk longer than it says', `${post('Transfer-Encoding: chunked')}3\r\n${text}\r\n0\r\n\r\n${smuggled}`],
    [
      'a chunk size beyond all numbers',
      `${post('Transfer-Encoding: chunked')}${'f'.repeat(17)}\r\n${text}\r\n0\r\n\r\n${smuggled}`,
    ],
    ['a space before the colon', `${post('Content-Length : 5')}12345${smuggled}`],
    ['a folded header', `${post('Content-Length:', ' 5')}12345${smuggled}`],
    ['a bare newline', `POST /v1/messages HTTP/1.1\nHost: localhost\nContent-Length: 5\n\n12345${smuggled}`],
  ])('(%s) is refused, and nothing behind it is served', async (_what, bytes) => {
    const line = await exchange(bytes);
    expect(line.statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
    expect(line.text).not.toContain('smuggled');
    const world = newWorld(sandbox, 'raw');
    const journal = await world.items<Control['JournalRequest']>('/_sandbox/requests?operation=getMessage');
    expect(journal.filter(({ path }) => path.includes('smuggled'))).toEqual([]);
  });

  it('(cut off in the middle) leaves nothing behind, however it ends', async () => {
    const before = (await newWorld(sandbox, 'raw').items('/_sandbox/messages')).length;
    for (const end of ['destroy', 'finish'] as const) {
      for (const start of [
        `${post('Content-Length: 500')}{"to":"+1`,
        `${post('Transfer-Encoding: chunked')}ff\r\n{"to":`,
      ]) {
        const line = await Line.open(sandbox.url);
        line.write(start);
        line[end]();
        await line.closed();
      }
    }
    expect(await newWorld(sandbox, 'raw').items('/_sandbox/messages')).toHaveLength(before);
  });
});

describe('a head that is not as it should be', () => {
  it.each([
    ['a URL of 100 KB', head('GET', `/v1/${'x'.repeat(100_000)}`), 431],
    ['a header of 100 KB', head('GET', '/v1/templates', `X-A: ${'x'.repeat(100_000)}`), 431],
    ['5,000 headers', head('GET', '/v1/templates', ...Array.from({ length: 5_000 }, (_, i) => `X-${i}: 1`)), 431],
    ['a zero byte in the URL', head('GET', '/v1/temp\u0000lates'), 400],
    ['a zero byte in a header', head('GET', '/v1/templates', 'X-A: a\u0000b'), 400],
    ['a method that nobody knows', head('BREW', '/v1/templates'), 400],
    ['a version that nobody speaks', 'GET /v1/templates HTTP/9.9\r\nHost: localhost\r\n\r\n', 400],
    ['no version, and so no host', 'GET /v1/templates\r\n\r\n', 403],
    ['TLS', Buffer.from('16030100a5010000a10303', 'hex'), 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['an expectation that nobody can meet', head('GET', '/v1/templates', 'Expect: a-miracle'), 417],
    ['a target that is a whole URL', head('GET', 'http://evil.example/v1/templates'), 404],
    ['a target that is a star', head('OPTIONS', '*'), 404],
    ['a wish to be a tunnel', head('CONNECT', 'evil.example:443'), 405],
    ['bytes beyond ASCII in the target', head('GET', '/v1/messages/\xff\xfe'), 400],
  ])('(%s) is answered, and not with what it asks for', async (_what, bytes, status) => {
    const line = await exchange(bytes);
    expect(line.statuses[0]).toBe(status);
    expect(line.text).not.toContain('"templates"');
  });

  it('(asking whether to go on) is told to, once', async () => {
    const line = await Line.open(sandbox.url);
    line.write(post('Expect: 100-continue', `Content-Length: ${text.length}`, 'Connection: close'));
    await line.until(({ text: got }) => got === 'HTTP/1.1 100 Continue\r\n\r\n');
    line.write(text);
    await line.closed();
    expect(line.statuses).toEqual([100, 400]);
  });

  it('(sent by somebody who hears but speaks no more) is answered', async () => {
    const line = await Line.open(sandbox.url);
    line.write(head('GET', '/v1/templates'));
    line.finish();
    expect(await line.closed()).toContain('"templates":[]');
  });
});

describe('bytes by chance', () => {
  const pieces = fc.oneof(
    fc.constantFrom(
      'GET ',
      'POST ',
      '/v1/messages',
      '/_sandbox/live',
      ' HTTP/1.1\r\n',
      'Host: localhost\r\n',
      'Authorization: Bearer raw\r\n',
      'Content-Type: application/json\r\n',
      `Content-Length: ${text.length}\r\n`,
      'Transfer-Encoding: chunked\r\n',
      'Connection: Upgrade\r\nUpgrade: websocket\r\n',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n',
      'Upgrade: h2c\r\n',
      'Expect: 100-continue\r\n',
      '\r\n',
      '\n',
      text,
      '5\r\nhello\r\n',
      '0\r\n\r\n',
      '\u0000',
    ),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  );
  const sane = fc.constantFrom(
    head('GET', '/v1/templates'),
    `${post(`Content-Length: ${text.length}`)}${text}`,
    `${post('Transfer-Encoding: chunked')}${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
    head(
      'GET',
      '/_sandbox/live',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ),
  );
  /** Valid bytes with some removed or added. */
  const damaged = fc.tuple(sane, fc.nat(), fc.nat({ max: 6 }), pieces).map(([bytes, at, length, more]) => {
    const start = at % bytes.length;
    return bytes.slice(0, start) + more + bytes.slice(start + length);
  });

  it('end the connection, or are answered, and the server goes on', async () => {
    const attack = fc.array(
      fc.oneof({ weight: 2, arbitrary: damaged }, { weight: 1, arbitrary: sane }, { weight: 2, arbitrary: pieces }),
      {
        minLength: 1,
        maxLength: 8,
      },
    );
    await fc.assert(
      fc.asyncProperty(attack, async (parts) => {
        const line = await exchange(...parts.map((part) => Buffer.from(part, 'latin1')));
        expect(line.statuses.filter((status) => status >= 500)).toEqual([]);
      }),
      { seed: fuzzSeed, numRuns: cases(400) },
    );
  }, 120_000);
});
