import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { SystemClock } from '../../src/time/system-clock.js';
import { machineTime } from '../../src/time/system-clock.js';
import type { Lookup } from '../../src/webhooks/sender/peer.js';
import { createSender } from '../../src/webhooks/sender/sender.js';
import type { SenderOptions } from '../../src/webhooks/sender/sender.js';
import type { Sender } from '../../src/webhooks/sender/sender-types.js';
import { closing } from '../support/closing.js';
import { ManualHost } from '../support/manual-host.js';
import { namesFrom } from '../support/names.js';
import { freePort, startRawReceiver, startReceiver } from '../support/receivers.js';

function sender(options: Partial<SenderOptions> = {}): Sender {
  const base = { host: machineTime, routes: [], allowPublic: false, insideContainer: false, lookup: namesFrom({}) };
  return closing(createSender({ ...base, ...options }));
}

const receiving = async (...args: Parameters<typeof startReceiver>) => closing(await startReceiver(...args));
const receivingRaw = async (...args: Parameters<typeof startRawReceiver>) => closing(await startRawReceiver(...args));

const HEADERS = { 'Content-Type': 'application/json', 'X-Service-Signature': 'sha256=00' };

function post(from: Sender, url: string, body: string | Buffer = '{"a":1}') {
  return from.send({ url, headers: HEADERS, body });
}

describe('what is sent', () => {
  it.each([
    ['in TLS to a host with a certificate of its own', true],
    ['in plain HTTP to a local host without TLS', false],
  ])('goes out %s, byte for byte, and is recorded as it went', async (_how, tls) => {
    const answer = (response: ServerResponse) => response.writeHead(201, { 'X-Twice': ['1', '2'] }).end('thanks');
    const receiver = await receiving(answer, { tls });
    const body = '{"text":"Grüße 👋","n":1.0}';
    const outcome = await post(sender(), receiver.url('/hook/%20x?y=1&z'), body);
    expect(outcome).toMatchObject({
      ok: true,
      status: 201,
      plain: !tls,
      sentTo: `${tls ? 'https' : 'http'}://localhost:${receiver.port}/hook/%20x?y=1&z`,
      request: { url: receiver.url('/hook/%20x?y=1&z'), body },
      response: { body: 'thanks' },
    });
    expect(outcome.response?.headers).toMatchObject({ 'x-twice': '1, 2' });
    expect(outcome).not.toHaveProperty('error');
    const [request] = receiver.received;
    expect(request).toMatchObject({ method: 'POST', path: '/hook/%20x?y=1&z', body });
    const raw = request?.rawHeaders ?? [];
    const wire = Object.fromEntries(raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1]]] : [])));
    expect(wire).toEqual(outcome.request.headers);
    expect(wire).toMatchObject({ ...HEADERS, host: `localhost:${receiver.port}` });
  });

  it('takes bytes as they are', async () => {
    const receiver = await receiving((response, request) => response.end(String(request.headers['content-length'])));
    const outcome = await post(sender(), receiver.url(), Buffer.from([0x7b, 0xff, 0x7d]));
    expect(outcome).toMatchObject({ ok: true, response: { body: '3' }, request: { body: '{\uFFFD}' } });
  });

  it('turns credentials in the URL into a header and keeps them out of the record', async () => {
    const receiver = await receiving();
    const outcome = await post(sender(), `https://me:p%40ss@localhost:${receiver.port}/`);
    expect(receiver.received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
    expect(outcome.sentTo).toBe(`http://localhost:${receiver.port}/`);
  });

  it('reaches a name by its checked address alone: the connection asks no resolver', async () => {
    const receiver = await receiving();
    let asked = 0;
    const lookup = (host: string) => {
      asked += 1;
      return namesFrom({ 'no-such-name.test': ['127.0.0.1'] })(host);
    };
    const outcome = await post(sender({ lookup }), receiver.url('/', 'no-such-name.test'));
    expect(outcome.ok).toBe(true);
    expect(receiver.received[0]?.headers.host).toBe(`no-such-name.test:${receiver.port}`);
    expect(asked).toBe(1);
  });

  it('tries the next address when the first refuses', async () => {
    const receiver = await receiving(undefined, { host: '127.0.0.2' });
    const lookup = namesFrom({ 'two.test': ['127.0.0.3', '127.0.0.2'] });
    expect(await post(sender({ lookup }), receiver.url('/', 'two.test'))).toMatchObject({ ok: true });
  });

  it('refuses a name that moved to a public address since the last attempt', async () => {
    const receiver = await receiving();
    const names = { 'moving.test': ['127.0.0.1'] };
    const from = sender({ lookup: namesFrom(names) });
    expect(await post(from, receiver.url('/', 'moving.test'))).toMatchObject({ ok: true });
    names['moving.test'] = ['93.184.216.34'];
    expect(await post(from, receiver.url('/', 'moving.test'))).toMatchObject({
      ok: false,
      status: null,
      error: { code: 'public_destination_blocked' },
    });
    expect(receiver.received).toHaveLength(1);
  });
});

describe('what counts as success', () => {
  it.each([200, 202, 204, 299])('%i does', async (status) => {
    const receiver = await receiving((response) => response.writeHead(status).end());
    expect(await post(sender(), receiver.url())).toMatchObject({ ok: true, status });
  });

  it.each([
    [304, 'Not Modified', 'conditional GET'],
    [400, 'Bad Request', 'including whsec_'],
    [404, 'Not Found', 'exact URL'],
    [405, 'Method Not Allowed', 'POST'],
    [500, 'Internal Server Error', undefined],
  ])('%i %s does not, and is no redirect', async (status, words, hint) => {
    const receiver = await receiving((response) => response.writeHead(status).end('no'));
    const outcome = await post(sender(), receiver.url());
    const message = `The receiver responded with ${status} ${words}; only a 2xx counts as received.`;
    expect(outcome).toMatchObject({ ok: false, status, error: { code: 'non_2xx', message } });
    expect(outcome.response?.body).toBe(status === 304 ? '' : 'no');
    if (hint === undefined) expect(outcome.hint).toBeUndefined();
    else expect(outcome.hint).toContain(hint);
  });

  it.each([301, 302, 303, 307, 308])('a redirect (%i) is not followed', async (status) => {
    const receiver = await receiving((response) =>
      response.writeHead(status, { Location: receiver.url('/final') }).end(),
    );
    const outcome = await post(sender(), receiver.url('/first'));
    expect(outcome).toMatchObject({ ok: false, status, error: { code: 'redirect_not_followed' } });
    expect(outcome.error?.message).toContain(receiver.url('/final'));
    expect(outcome.hint).toContain('final URL');
    expect(receiver.received.map(({ path }) => path)).toEqual(['/first']);
  });
});

describe('answers of all sizes', () => {
  it('keeps the first 64 KiB, cut at a character, and the connection', async () => {
    const receiver = await receiving((response) => response.end(`x${'é'.repeat(100_000)}`));
    const from = sender();
    const outcome = await post(from, receiver.url());
    expect(outcome).toMatchObject({ ok: true, response: { truncated: true } });
    expect(outcome.response?.body).toBe(`x${'é'.repeat(32_767)}`);
    const before = receiver.connections;
    await post(from, receiver.url());
    expect(receiver.connections).toBe(before);
  });

  it('does not read an endless answer to its end', async () => {
    const receiver = await receiving((response) => {
      const pump = (): void => {
        while (!response.destroyed && response.write('y'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', pump);
      };
      pump();
    });
    const outcome = await post(sender(), receiver.url());
    expect(outcome).toMatchObject({ ok: true, status: 200, response: { truncated: true } });
    expect(outcome.response?.body).toHaveLength(65_536);
  });

  it('is lossy about bytes that are not UTF-8', async () => {
    const receiver = await receiving((response) => response.end(Buffer.from([0x61, 0xff, 0x62])));
    expect((await post(sender(), receiver.url())).response?.body).toBe('a\uFFFDb');
  });

  it('counts the status of a response that breaks off, and records what came', async () => {
    const receiver = await receiving((response, _request, raw) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('half', () => raw.socket.end());
    });
    const outcome = await post(sender(), receiver.url());
    expect(outcome).toMatchObject({ ok: true, status: 200, response: { body: 'half', truncated: true } });
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'found "SSH-2.0-OpenSSH_9.6'],
    ['a head that never ends', `HTTP/1.1 200 OK\r\nX-Big: ${'x'.repeat(20_000)}`, 'longer than 16384 bytes'],
    ['a change of protocol', `HTTP/1.1 101 OK\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n`, 'such as 100 or 101'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', 'Content-Length contradicts'],
    [
      'two framings',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      'Content-Length contradicts',
    ],
    ['a blank before the colon', 'HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\nx', 'header'],
    ['a folded line', 'HTTP/1.1 200 OK\r\nA: 1\r\n 2\r\n\r\n', 'header'],
  ])('fails on %s', async (_what, text, problem) => {
    const receiver = await receivingRaw((socket) => socket.once('data', () => socket.end(text)));
    const outcome = await post(sender(), receiver.url());
    expect(outcome).toMatchObject({ ok: false, status: null, error: { code: 'invalid_response' } });
    expect(outcome.error?.message).toContain(problem);
  });

  it.each([
    ['chunks', 'Transfer-Encoding: chunked\r\n\r\n2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nX-Sum: 1\r\n\r\n', 'hello'],
    ['no length, until the connection ends', '\r\nhello', 'hello'],
    ['headers of all names', 'a:1\r\nA: 2 \r\n__proto__: p\r\nConstructor: c\r\nContent-Length: 0\r\n\r\n', ''],
  ])('reads %s after an interim response', async (_what, rest, body) => {
    const text = `HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200\r\n${rest}`;
    const receiver = await receivingRaw((socket) => socket.once('data', () => socket.end(text)));
    const outcome = await post(sender(), receiver.url());
    expect(outcome).toMatchObject({ ok: true, status: 200, response: { body } });
    expect(outcome.response).not.toHaveProperty('truncated');
    const entries = Object.entries(outcome.response?.headers ?? {});
    if (body === '')
      expect(entries).toEqual([
        ['a', '1, 2'],
        ['__proto__', 'p'],
        ['constructor', 'c'],
        ['content-length', '0'],
      ]);
  });
});

describe('the cap on an attempt', () => {
  function capped(options: Partial<SenderOptions> = {}): { host: ManualHost; from: Sender } {
    const host = new ManualHost();
    return { host, from: sender({ host, ...options }) };
  }

  it('ends a receiver that never answers after exactly ten seconds', async () => {
    const receiver = await receiving(() => undefined);
    const { host, from } = capped();
    const requested = receiver.nextRequest();
    const sent = post(from, receiver.url('/slow'));
    await requested;
    host.tick(9_999);
    expect(host.nextInMs).toBe(1);
    host.tick(1);
    const outcome = await sent;
    expect(outcome).toMatchObject({
      ok: false,
      status: null,
      durationMs: 10_000,
      error: { code: 'timeout', message: 'No response within 10s: still waiting for the response.' },
    });
    expect(outcome.hint).toContain('2xx first');
    expect(host.pending).toBe(0);
  });

  it('ends a body that never ends; the status counts, and what came of the body is recorded', async () => {
    let headSent = (): void => undefined;
    const head = new Promise<void>((resolve) => (headSent = resolve));
    const receiver = await receiving((response) => {
      response.writeHead(200);
      response.write('drip', () => headSent());
    });
    const { host, from } = capped({ timeoutMs: 500 });
    const sent = post(from, receiver.url());
    await head;
    // The head is on the wire; the sender has it once its socket has been read, which a round trip proves.
    await post(sender(), (await receiving()).url());
    host.tick(500);
    const outcome = await sent;
    expect(outcome).toMatchObject({ ok: true, status: 200, response: { body: 'drip', truncated: true } });
    expect(outcome).not.toHaveProperty('error');
  });

  it('covers a resolver that hangs', async () => {
    const { host, from } = capped({ lookup: () => new Promise(() => undefined) });
    const sent = post(from, 'https://app.test/');
    host.tick(10_000);
    expect((await sent).error).toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('looking up') as unknown,
    });
  });

  it('sends nothing when the resolver answers after the cap', async () => {
    const receiver = await receiving();
    let answerNow = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answerNow = resolve));
    const late: Lookup = async () => {
      await answered;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const { host, from } = capped({ lookup: late });
    const sent = post(from, receiver.url('/', 'app.test'));
    host.tick(10_000);
    expect(await sent).toMatchObject({ error: { code: 'timeout' } });
    answerNow();
    // Long enough for a request to arrive, had one been sent.
    await post(sender(), receiver.url('/other'));
    expect(receiver.received.map(({ path }) => path)).toEqual(['/other']);
  });

  it('leaves no timer behind after success', async () => {
    const receiver = await receiving();
    const { host, from } = capped();
    expect(await post(from, receiver.url())).toMatchObject({ ok: true, durationMs: 0 });
    expect(host.pending).toBe(0);
  });
});

describe('hosts that cannot be reached', () => {
  it.each([
    [false, /^No server is listening on port \d+\. Start your server, or correct the port in the URL\.$/],
    [true, /^No server is listening on port \d+\..*host\.docker\.internal/],
  ])('a refused loopback connection (inside a container: %s) has the right hint', async (insideContainer, hint) => {
    const port = await freePort();
    for (const name of ['localhost', '127.0.0.1']) {
      const outcome = await post(sender({ insideContainer }), `https://${name}:${port}/`);
      expect(outcome).toMatchObject({ ok: false, status: null, error: { code: 'connection_refused' } });
      expect(outcome.hint).toMatch(hint);
    }
  });

  it.each([
    ['https://app.test/', 'dns_not_found', '--webhook-route'],
    ['https://93.184.216.34/', 'public_destination_blocked', '--allow-public-webhooks'],
    ['http://localhost/', 'invalid_url', 'https://'],
  ])('%s fails with %s and a hint', async (url, code, hint) => {
    const outcome = await post(sender(), url);
    expect(outcome).toMatchObject({ ok: false, status: null, error: { code }, sentTo: url });
    expect(outcome.hint).toContain(hint);
    expect(outcome).not.toHaveProperty('response');
  });

  it('says so when the receiver hangs up on a request', async () => {
    for (const end of ['destroy', 'resetAndDestroy'] as const) {
      const receiver = await receiving((_response, _request, raw) => raw.socket[end]());
      const outcome = await post(sender(), receiver.url());
      expect(outcome).toMatchObject({ ok: false, status: null, error: { code: 'connection_reset' } });
      expect(receiver.received).toHaveLength(1);
    }
  });

  it('says so when the receiver reads half of a request and resets, and asks no second time', async () => {
    const receiver = await receivingRaw((socket) => {
      socket.once('readable', () => {
        socket.read(1);
        socket.resetAndDestroy();
      });
    });
    const outcome = await post(sender(), receiver.url(), 'x'.repeat(1_000_000));
    expect(outcome).toMatchObject({ ok: false, status: null, error: { code: 'connection_reset' } });
    expect(receiver.connections).toBe(1 + 1);
  });

  it('does not put a malformed header on the wire', async () => {
    const receiver = await receiving();
    const outcome = await sender().send({ url: receiver.url(), headers: { 'X-A': 'b\r\nX-C: d' }, body: '' });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
    expect(receiver.received).toHaveLength(0);
  });
});

describe('kept connections', () => {
  it.each([true, false])('are used again (TLS: %s)', async (tls) => {
    const receiver = await receiving(undefined, { tls });
    const from = sender();
    for (let i = 0; i < 5; i += 1) expect(await post(from, receiver.url())).toMatchObject({ ok: true });
    // To TLS goes the plain request that it rejects, and the question whether it supports TLS.
    expect(receiver.connections).toBe(tls ? 3 : 1);
  });

  it('grow with what is in flight', async () => {
    const receiver = await receiving();
    const from = sender();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => post(from, receiver.url())));
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(receiver.connections).toBe(8);
    await Promise.all(Array.from({ length: 8 }, () => post(from, receiver.url())));
    expect(receiver.connections).toBe(8);
  });

  it.each([true, false])('that the receiver closed as we wrote are replaced once (TLS: %s)', async (tls) => {
    const perSocket = new WeakMap<object, number>();
    const receiver = await receiving(
      (response, _request, raw) => {
        const count = (perSocket.get(raw.socket) ?? 0) + 1;
        perSocket.set(raw.socket, count);
        if (count > 1) raw.socket.destroy();
        else response.end('ok');
      },
      { tls },
    );
    const from = sender();
    expect(await post(from, receiver.url())).toMatchObject({ ok: true });
    expect(await post(from, receiver.url())).toMatchObject({ ok: true });
    expect(receiver.received).toHaveLength(3);
    expect(receiver.connections).toBe(tls ? 2 + 2 : 2);
  });

  it.each(['end', 'destroy', 'resetAndDestroy'] as const)(
    'are replaced when a server that promised to keep them closes exactly as a request comes (%s)',
    async (end) => {
      const receiver = await receivingRaw((socket) => {
        let requests = 0;
        socket.on('data', () => {
          requests += 1;
          if (requests > 1) socket[end]();
          else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        });
      });
      const from = sender();
      for (let i = 0; i < 3; i += 1) expect(await post(from, receiver.url())).toMatchObject({ ok: true, status: 200 });
      expect(receiver.connections).toBe(3);
    },
  );

  it('that break within an answer are not replaced: the receiver had begun to speak', async () => {
    let requests = 0;
    const receiver = await receiving((response, _request, raw) => {
      requests += 1;
      if (requests === 2) raw.socket.end('HTTP/1.1 200 OK\r\nX-Half');
      else response.end('ok');
    });
    const from = sender();
    await post(from, receiver.url());
    expect(await post(from, receiver.url())).toMatchObject({ ok: false, status: null });
    expect(requests).toBe(2);
  });

  it('that the receiver dropped after thinking about the request are not replaced either', async () => {
    const host: SystemClock & { elapsed: number } = { ...machineTime, elapsed: 0, monotonic: () => host.elapsed };
    let requests = 0;
    const receiver = await receiving((response, _request, raw) => {
      requests += 1;
      if (requests === 1) response.end('ok');
      else {
        host.elapsed += 1_500;
        raw.socket.destroy();
      }
    });
    const from = sender({ host });
    await post(from, receiver.url());
    expect(await post(from, receiver.url())).toMatchObject({ ok: false, error: { code: 'connection_reset' } });
    expect(requests).toBe(2);
  });

  it('are not kept when the receiver does not want it', async () => {
    const receiver = await receiving((response) => response.writeHead(200, { Connection: 'close' }).end('ok'));
    const from = sender();
    for (let i = 0; i < 3; i += 1) expect(await post(from, receiver.url())).toMatchObject({ ok: true });
    expect(receiver.connections).toBe(3);
  });
});

describe('TLS or not', () => {
  it('sends plain HTTP at once, so that a server without TLS reads nothing but the delivery', async () => {
    const seen: string[] = [];
    const receiver = await receivingRaw((socket) =>
      socket.on('data', (chunk) => {
        seen.push(chunk.toString('latin1'));
        socket.end('HTTP/1.1 204 No Content\r\n\r\n');
      }),
    );
    expect(await post(sender(), receiver.url())).toMatchObject({ ok: true, status: 204, plain: true });
    expect(seen.join('')).toMatch(/^POST .*\{"a":1\}$/s);
    expect(receiver.connections).toBe(1);
  });

  it('says what a server without TLS did that hung up, and how often it was reached', async () => {
    const requests: string[] = [];
    const receiver = await receivingRaw((socket) =>
      socket.once('data', (chunk) => {
        requests.push(chunk.toString('latin1', 0, 4));
        socket.end();
      }),
    );
    const outcome = await post(sender(), receiver.url());
    expect(outcome).toMatchObject({ ok: false, plain: true, error: { code: 'connection_reset' } });
    expect(requests.filter((start) => start === 'POST')).toHaveLength(1);
  });

  it.each([
    ['hangs up', ''],
    ['answers 400', 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n'],
  ])('sends in TLS to a server that %s when it is sent plain HTTP', async (_what, reply) => {
    const behind = await receiving(undefined, { tls: true });
    const front = await receivingRaw((socket) =>
      socket.once('data', (chunk) => {
        if (chunk.toString('latin1').startsWith('POST ')) {
          socket.end(reply);
          return;
        }
        const to = connect(behind.port, '127.0.0.1', () => {
          to.write(chunk);
          socket.pipe(to).pipe(socket);
        });
        to.on('error', () => socket.destroy());
        socket.on('error', () => to.destroy());
      }),
    );
    const from = sender();
    for (let i = 0; i < 2; i += 1) {
      const outcome = await post(from, front.url());
      expect(outcome).toMatchObject({ ok: true, status: 200, plain: false, response: { body: 'ok' } });
    }
    expect(behind.received).toHaveLength(2);
  });

  it('leaves 400 of a server without TLS as it is', async () => {
    const answer = (response: ServerResponse) => response.writeHead(400).end('see https://docs.test');
    const receiver = await receiving(answer);
    const outcome = await post(sender(), receiver.url());
    expect(outcome).toMatchObject({ ok: false, status: 400, plain: true, response: { body: 'see https://docs.test' } });
    expect(receiver.received).toHaveLength(1);
  });

  it('takes a TLS alert for TLS', async () => {
    const handshakeFailure = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28]);
    const receiver = await receivingRaw((socket) => socket.once('data', () => socket.end(handshakeFailure)));
    expect(await post(sender(), receiver.url())).toMatchObject({ ok: false, error: { code: 'tls_error' } });
  });

  it('notices when a server comes back speaking TLS, or stops speaking it', async () => {
    const from = sender();
    const first = await startReceiver(undefined, { tls: true });
    const { port } = first;
    expect(await post(from, first.url())).toMatchObject({ ok: true, plain: false });
    await first.close();

    const second = await receiving(undefined, { port });
    // Nothing was sent while the handshake failed, so the same attempt can ask again.
    expect(await post(from, second.url())).toMatchObject({ ok: true, plain: true });
    await second.close();

    expect(await post(from, second.url())).toMatchObject({ ok: false, error: { code: 'connection_refused' } });
    const third = await receiving(undefined, { port, tls: true });
    expect(await post(from, third.url())).toMatchObject({ ok: true, plain: false });
  });

  it('notices that a server without TLS came back with it, in the same attempt', async () => {
    const from = sender();
    const first = await startReceiver();
    expect(await post(from, first.url())).toMatchObject({ ok: true, plain: true });
    await first.close();
    const second = await receiving(undefined, { port: first.port, tls: true });
    expect(await post(from, second.url())).toMatchObject({ ok: true, plain: false });
    expect(second.received).toHaveLength(1);
  });
});

describe('the sink', () => {
  it('gets the request in the process, under the same cap and the same rules', async () => {
    const from = sender();
    const taken: unknown[] = [];
    const outcome = await from.send({
      url: 'https://sink.sandbox/orders/eu?x=1',
      headers: HEADERS,
      body: '{}',
      sink: (request) => {
        taken.push({ ...request, body: request.body.toString() });
        return Promise.resolve({ status: 503, body: 'busy' });
      },
    });
    expect(outcome).toMatchObject({ ok: false, status: 503, error: { code: 'non_2xx' }, response: { body: 'busy' } });
    const headers = { ...HEADERS, host: 'sink.sandbox', connection: 'keep-alive', 'content-length': '2' };
    expect(taken).toEqual([{ name: 'orders', path: '/eu?x=1', method: 'POST', headers, body: '{}' }]);
    expect(outcome.request.headers).toEqual(headers);
  });

  it('times out like any receiver', async () => {
    const host = new ManualHost();
    const sent = sender({ host }).send({
      url: 'https://sink.sandbox/slow',
      headers: {},
      body: '',
      sink: () => new Promise(() => undefined),
    });
    host.tick(10_000);
    expect(await sent).toMatchObject({ ok: false, status: null, durationMs: 10_000, error: { code: 'timeout' } });
  });

  it('is an error where none is attached', async () => {
    expect(await post(sender(), 'https://sink.sandbox/a')).toMatchObject({ error: { code: 'sink_not_available' } });
  });
});

describe('close', () => {
  it('ends what is in flight and refuses what comes later', async () => {
    const receiver = await receiving(() => undefined);
    const from = sender();
    const requested = receiver.nextRequest();
    const sent = post(from, receiver.url());
    await requested;
    await from.close();
    expect(await sent).toMatchObject({ ok: false, status: null, error: { code: 'sender_closed' } });
    expect(await post(from, receiver.url())).toMatchObject({ ok: false, error: { code: 'sender_closed' } });
    await from.close();
  });

  it('ends the question whether a server supports TLS', async () => {
    const receiver = await receivingRaw((socket) =>
      socket.once('data', (chunk) => {
        if (chunk.toString('latin1').startsWith('POST ')) socket.end();
      }),
    );
    const host = new ManualHost();
    const from = sender({ host });
    const sent = post(from, receiver.url());
    await host.armed(2);
    await from.close();
    expect(await sent).toMatchObject({ ok: false, error: { code: 'sender_closed' } });
    expect(host.pending).toBe(0);
  });
});
