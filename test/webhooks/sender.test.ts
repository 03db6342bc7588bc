import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { machineTime } from '../../src/time/system-clock.js';
import type { Lookup } from '../../src/webhooks/addresses.js';
import { createSender, type Sender, type SenderOptions } from '../../src/webhooks/send.js';
import type { Outcome } from '../../src/webhooks/exchange.js';
import { closing } from '../support/closing.js';
import { ManualHost } from '../support/manual-host.js';
import { namesFrom } from '../support/names.js';
import { freePort, receiver, startRawReceiver, startReceiver } from '../support/receivers.js';

function sender(options: Partial<SenderOptions> = {}): Sender {
  const base = { host: machineTime, routes: [], allowPublic: false, insideContainer: false, lookup: namesFrom({}) };
  return closing(createSender({ ...base, ...options }));
}

type Handler = NonNullable<Parameters<typeof startReceiver>[0]>;
const rawReceiver = async (...args: Parameters<typeof startRawReceiver>) => closing(await startRawReceiver(...args));
/** A receiver that responds to each connection with these bytes, and ends it. */
const saying = (answer: string | Buffer) => rawReceiver((socket) => socket.once('data', () => socket.end(answer)));

const HEADERS = { 'Content-Type': 'application/json', 'X-Service-Signature': 'sha256=00' };

function post(from: Sender, url: string, body = '{"a":1}') {
  return from.send({ url, headers: HEADERS, body });
}

const sent = { ok: true };
const failed = (code: string) => ({ ok: false, status: null, error: { code } });

/** The outcomes of attempts one after the other. */
async function posts(from: Sender, url: string, expected: readonly object[]): Promise<void> {
  for (const each of expected) expect(await post(from, url)).toMatchObject(each);
}

describe('what is sent', () => {
  it.each([
    ['in TLS to a host with a certificate of its own', true],
    ['in plain HTTP to a local host without TLS', false],
  ])('goes out %s, byte for byte, and is recorded as it went', async (_how, tls) => {
    const answer = (response: ServerResponse) => response.writeHead(201, { 'X-Twice': ['1', '2'] }).end('thanks');
    const { received, url, port } = await receiver(answer, { tls });
    const body = '{"text":"Grüße 👋","n":1.0}';
    const outcome = await post(sender(), url('/hook/%20x?y=1&z'), body);
    expect(outcome).toMatchObject({
      ok: true,
      status: 201,
      plain: !tls,
      sentTo: `${tls ? 'https' : 'http'}://localhost:${port}/hook/%20x?y=1&z`,
      request: { url: url('/hook/%20x?y=1&z'), body },
      response: { body: 'thanks', headers: { 'x-twice': '1, 2' } },
    });
    expect(outcome.response).not.toHaveProperty('truncated');
    expect(outcome).not.toHaveProperty('error');
    expect(received).toMatchObject([{ method: 'POST', path: '/hook/%20x?y=1&z', body }]);
    const raw = received[0]?.rawHeaders ?? [];
    const wire = Object.fromEntries(raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1]]] : [])));
    expect(wire).toEqual(outcome.request.headers);
    expect(wire).toMatchObject({ ...HEADERS, host: `localhost:${port}` });
  });

  it('turns credentials in the URL into a header and keeps them out of the record', async () => {
    const { port, received } = await receiver();
    const outcome = await post(sender(), `https://me:p%40ss@localhost:${port}/`);
    expect(received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
    expect(outcome.sentTo).toBe(`http://localhost:${port}/`);
  });

  it('tries the next address when the first refuses', async () => {
    const { url } = await receiver(undefined, { host: '127.0.0.2' });
    const lookup = namesFrom({ 'two.test': ['127.0.0.3', '127.0.0.2'] });
    await posts(sender({ lookup }), url('/', 'two.test'), [sent]);
  });

  it('goes to a name under that name, and no more when it has moved to a public address', async () => {
    const { url, received, port } = await receiver();
    const names = { 'moving.test': ['127.0.0.1'] };
    const from = sender({ lookup: namesFrom(names) });
    await posts(from, url('/', 'moving.test'), [sent]);
    names['moving.test'] = ['93.184.216.34'];
    await posts(from, url('/', 'moving.test'), [failed('public_destination_blocked')]);
    expect(received.map(({ headers }) => headers.host)).toEqual([`moving.test:${port}`]);
  });

  it('has the headers of its own connection and body, and a given authorization, in any spelling', async () => {
    const { url, port, received } = await receiver();
    const lies = { HOST: 'evil', 'Content-length': '1', 'Transfer-Encoding': 'chunked', Connection: 'close' };
    const headers = { ...lies, Authorization: 'Bearer x' };
    await sender().send({ url: url().replace('://', '://me:you@'), headers, body: '1234567' });
    const wire = {
      host: `localhost:${port}`,
      connection: 'keep-alive',
      authorization: 'Bearer x',
      'content-length': '7',
    };
    expect(received).toMatchObject([{ headers: wire, body: '1234567' }]);
    expect(received[0]?.headers).not.toHaveProperty('transfer-encoding');
  });

  it('has no malformed header', async () => {
    const { url, received } = await receiver();
    const outcome = await sender().send({ url: url(), headers: { 'X-A': 'b\r\nX-C: d' }, body: '' });
    expect(outcome).toMatchObject(failed('invalid_request'));
    expect(received).toHaveLength(0);
  });
});

describe('what counts as success', () => {
  it.each([200, 202, 204, 299])('%i does', async (status) => {
    const { url } = await receiver((response) => response.writeHead(status).end());
    await posts(sender(), url(), [{ ok: true, status }]);
  });

  it.each([
    [304, 'Not Modified', 'conditional GET'],
    [400, 'Bad Request', 'including whsec_'],
    [404, 'Not Found', 'exact URL'],
    [405, 'Method Not Allowed', 'POST'],
    [500, 'Internal Server Error', 'undefined'],
  ])('%i %s does not, and is no redirect', async (status, words, hint) => {
    const { url } = await receiver((response) => response.writeHead(status).end('no'));
    const outcome = await post(sender(), url());
    const message = `The receiver responded with ${status} ${words}; only a 2xx counts as received.`;
    const response = { body: status === 304 ? '' : 'no' };
    expect(outcome).toMatchObject({ ok: false, status, error: { code: 'non_2xx', message }, response });
    expect(String(outcome.hint)).toContain(hint);
  });

  it.each([301, 302, 303, 307, 308])('a redirect (%i) is not followed', async (status) => {
    const Location = 'https://localhost/final';
    const { url, received } = await receiver((response) => response.writeHead(status, { Location }).end());
    const outcome = await post(sender(), url('/first'));
    expect(outcome).toMatchObject({ ok: false, status, error: { code: 'redirect_not_followed' } });
    expect(outcome.error?.message).toContain(Location);
    expect(outcome.hint).toContain('final URL');
    expect(received.map(({ path }) => path)).toEqual(['/first']);
  });
});

describe('answers of all sizes', () => {
  const endless: Handler = (response) => {
    const pump = (): void => {
      while (!response.destroyed && response.write('y'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', pump);
    };
    pump();
  };
  const brokenOff: Handler = (response, _request, raw) => {
    response.writeHead(200, { 'Content-Length': 100 });
    response.write('half', () => raw.socket.end());
  };
  const truncated = true;

  it.each<[string, Handler, Outcome['response'] | object]>([
    ['not to its end if it is endless', endless, { body: 'y'.repeat(65_536), truncated }],
    [
      'with its loss, if bytes are not UTF-8',
      (response) => response.end(Buffer.from([0x61, 0xff])),
      { body: 'a\uFFFD' },
    ],
    ['as far as it came if it breaks off; its status counts', brokenOff, { body: 'half', truncated }],
  ])('are read %s', async (_how, handler, response) => {
    const { url } = await receiver(handler);
    await posts(sender(), url(), [{ ok: true, status: 200, response }]);
  });

  it('are kept to 64 KiB, cut at a character, and so is the connection', async () => {
    const to = await receiver((response) => response.end(`x${'é'.repeat(100_000)}`));
    const response = { body: `x${'é'.repeat(32_767)}`, truncated };
    await posts(sender(), to.url(), [{ ok: true, response }, sent, sent, sent]);
    expect(to.connections).toBeLessThanOrEqual(2);
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'found "SSH-2.0-OpenSSH_9.6'],
    ['a head that never ends', `HTTP/1.1 200 OK\r\nX-Big: ${'x'.repeat(20_000)}`, 'longer than 16384 bytes'],
    ['a change of protocol', `HTTP/1.1 101 OK\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n`, 'such as 101'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', 'Content-Length contradicts'],
    [
      'two framings',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      'Content-Length contradicts',
    ],
    ['a blank before the colon', 'HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\nx', 'header'],
    ['a folded line', 'HTTP/1.1 200 OK\r\nA: 1\r\n 2\r\n\r\n', 'header'],
  ])('fail on %s', async (_what, text, problem) => {
    const outcome = await post(sender(), (await saying(text)).url());
    expect(outcome).toMatchObject(failed('invalid_response'));
    expect(outcome.error?.message).toContain(problem);
  });

  it.each([
    ['chunks', 'Transfer-Encoding: chunked\r\n\r\n2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nX-Sum: 1\r\n\r\n', 'hello', null],
    ['no length, until the connection ends', '\r\nhello', 'hello', null],
    [
      'headers of all names',
      'a:1\r\nA: 2 \r\n__proto__: p\r\nConstructor: c\r\nContent-Length: 0\r\n\r\n',
      '',
      'a: 1, 2; __proto__: p; constructor: c; content-length: 0',
    ],
  ])('have %s after interim responses', async (_what, rest, body, headers) => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n';
    const to = await saying(`${interim}HTTP/1.1 200\r\n${rest}`);
    const outcome = await post(sender(), to.url());
    expect(outcome).toMatchObject({ ok: true, status: 200, response: { body } });
    expect(outcome.response).not.toHaveProperty('truncated');
    const shown = Object.entries(outcome.response?.headers ?? {}).map((header) => header.join(': '));
    if (headers !== null) expect(shown.join('; ')).toBe(headers);
  });
});

describe('the cap on an attempt', () => {
  function capped(options: Partial<SenderOptions> = {}): { host: ManualHost; from: Sender } {
    const host = new ManualHost();
    return { host, from: sender({ host, ...options }) };
  }

  it('ends a receiver that never answers after exactly ten seconds', async () => {
    const receiving = await receiver(() => undefined);
    const { host, from } = capped();
    const requested = receiving.nextRequest();
    const outcome = post(from, receiving.url('/slow'));
    await requested;
    host.tick(9_999);
    expect(host.nextInMs).toBe(1);
    host.tick(1);
    expect(await outcome).toMatchObject({
      ok: false,
      status: null,
      durationMs: 10_000,
      error: { code: 'timeout', message: 'No response within 10s: still waiting for the response.' },
      hint: expect.stringContaining('2xx first') as string,
    });
    expect(host.pending).toBe(0);
  });

  it('ends a body that never ends; the status counts, and what came of the body is recorded', async () => {
    let headSent = (): void => undefined;
    const head = new Promise<void>((resolve) => (headSent = resolve));
    const { url } = await receiver((response) => {
      response.writeHead(200);
      response.write('drip', () => headSent());
    });
    const { host, from } = capped({ timeoutMs: 500 });
    const outcome = post(from, url());
    await head;
    // The head is on the wire; the sender has it once its socket has been read, which a round trip proves.
    await post(sender(), (await receiver()).url());
    host.tick(500);
    expect(await outcome).toMatchObject({ ok: true, status: 200, response: { body: 'drip', truncated: true } });
    expect(await outcome).not.toHaveProperty('error');
  });

  it('covers a resolver that hangs, and sends nothing when that answers after the cap', async () => {
    const { url, received } = await receiver();
    const names: ((found: Awaited<ReturnType<Lookup>>) => void)[] = [];
    const { host, from } = capped({ lookup: () => new Promise((resolve) => names.push(resolve)) });
    const outcome = post(from, url('/', 'app.test'));
    host.tick(10_000);
    const message = expect.stringContaining('looking up') as string;
    expect(await outcome).toMatchObject({ error: { code: 'timeout', message } });
    names[0]?.([{ address: '127.0.0.1', family: 4 }]);
    // Long enough for a request to arrive, had one been sent.
    await post(sender(), url('/other'));
    expect(received.map(({ path }) => path)).toEqual(['/other']);
  });
});

describe('hosts that cannot be reached', () => {
  it.each([
    [false, /^No server is listening on port \d+\. Start your server, or correct the port in the URL\.$/],
    [true, /^No server is listening on port \d+\..*host\.docker\.internal/],
  ])('a refused loopback connection (inside a container: %s) has the right hint', async (insideContainer, hint) => {
    const port = await freePort();
    const refused = { ...failed('connection_refused'), hint: expect.stringMatching(hint) as string };
    for (const name of ['localhost', '127.0.0.1'])
      await posts(sender({ insideContainer }), `https://${name}:${port}/`, [refused]);
  });

  it.each([
    ['https://app.test/', 'dns_not_found', '--webhook-route'],
    ['https://93.184.216.34/', 'public_destination_blocked', '--allow-public-webhooks'],
    ['http://localhost/', 'invalid_url', 'https://'],
    ['https://sink.sandbox/a', 'sink_not_available', ''],
  ])('%s fails with %s and a hint', async (url, code, hint) => {
    const outcome = await post(sender(), url);
    expect(outcome).toMatchObject({ ...failed(code), sentTo: url });
    expect(outcome.hint ?? '').toContain(hint);
    expect(outcome).not.toHaveProperty('response');
  });

  it.each(['destroy', 'resetAndDestroy'] as const)('those that hang up on a request (%s) are named', async (end) => {
    const { url, received } = await receiver((_response, _request, raw) => raw.socket[end]());
    await posts(sender(), url(), [failed('connection_reset')]);
    expect(received).toHaveLength(1);
  });
});

describe('kept connections', () => {
  it.each([true, false])('are used again (TLS: %s)', async (tls) => {
    const to = await receiver(undefined, { tls });
    await posts(sender(), to.url(), [sent, sent, sent, sent, sent]);
    // The next attempt may begin before the connection of the one before is free. To TLS goes the plain request that it
    // rejects, and the question whether it supports TLS.
    expect(to.connections).toBeLessThanOrEqual(tls ? 4 : 2);
  });

  it('are not kept when the receiver does not want it', async () => {
    const to = await receiver((response) => response.writeHead(200, { Connection: 'close' }).end('ok'));
    await posts(sender(), to.url(), [sent, sent, sent]);
    expect(to.connections).toBe(3);
  });
});

describe('TLS or not', () => {
  it.each([
    ['answers', 'HTTP/1.1 204 No Content\r\n\r\n', { ok: true, status: 204 }, 1],
    ['hangs up', '', failed('connection_reset'), 2],
  ])('sends plain HTTP at once to a server without TLS that %s', async (_what, answer, outcome, connections) => {
    const seen: string[] = [];
    const to = await rawReceiver((socket) =>
      socket.once('data', (chunk) => {
        seen.push(chunk.toString('latin1'));
        socket.end(answer);
      }),
    );
    await posts(sender(), to.url(), [{ ...outcome, plain: true }]);
    expect(seen.filter((text) => /^POST .*\{"a":1\}$/s.test(text))).toHaveLength(1);
    expect(to.connections).toBe(connections);
  });

  it.each([
    ['hangs up', ''],
    ['answers 400', 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n'],
  ])('sends in TLS to a server that %s when it is sent plain HTTP', async (_what, reply) => {
    const behind = await receiver(undefined, { tls: true });
    const front = await rawReceiver((socket) =>
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
    const secure = { ok: true, status: 200, plain: false, response: { body: 'ok' } };
    await posts(sender(), front.url(), [secure, secure]);
    expect(behind.received).toHaveLength(2);
  });

  it('leaves 400 of a server without TLS as it is', async () => {
    const { url, received } = await receiver((response) => response.writeHead(400).end('see https://docs.test'));
    await posts(sender(), url(), [
      { ok: false, status: 400, plain: true, response: { body: 'see https://docs.test' } },
    ]);
    expect(received).toHaveLength(1);
  });

  it('takes a TLS alert for TLS', async () => {
    const { url } = await saying(Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28]));
    await posts(sender(), url(), [failed('tls_error')]);
  });

  it('notices in the same attempt when a server comes back speaking TLS, or stops speaking it', async () => {
    const from = sender();
    let port = 0;
    for (const tls of [true, false, true]) {
      const { close, url, ...to } = await startReceiver(undefined, { port, tls });
      port = to.port;
      // Nothing was sent while the handshake failed, so the same attempt can ask again.
      await posts(from, url(), [{ ok: true, plain: !tls }]);
      expect(to.received).toHaveLength(1);
      await close();
    }
    await posts(from, `https://localhost:${port}/`, [failed('connection_refused')]);
  });
});

describe('the sink', () => {
  it('gets the request in the process, under the same cap and the same rules', async () => {
    const taken: unknown[] = [];
    const outcome = await sender().send({
      url: 'https://sink.sandbox/orders/eu?x=1',
      headers: HEADERS,
      body: '{}',
      sink: (request) => {
        taken.push(request);
        return Promise.resolve({ status: 503, body: 'busy' });
      },
    });
    expect(outcome).toMatchObject({ ok: false, status: 503, error: { code: 'non_2xx' }, response: { body: 'busy' } });
    const headers = { ...HEADERS, host: 'sink.sandbox', connection: 'keep-alive', 'content-length': '2' };
    expect(taken).toEqual([{ name: 'orders', path: '/orders/eu?x=1', headers, body: '{}' }]);
    expect(outcome.request.headers).toEqual(headers);
  });
});

describe('close', () => {
  it('ends what is in flight and refuses what comes later', async () => {
    const receiving = await receiver(() => undefined);
    const from = sender();
    const requested = receiving.nextRequest();
    const outcome = post(from, receiving.url());
    await requested;
    await from.close();
    expect(await outcome).toMatchObject(failed('sender_closed'));
    await posts(from, receiving.url(), [failed('sender_closed')]);
    await from.close();
  });

  it('ends the question whether a server supports TLS', async () => {
    const { url } = await rawReceiver((socket) =>
      socket.once('data', (chunk) => {
        if (chunk.toString('latin1').startsWith('POST ')) socket.end();
      }),
    );
    const host = new ManualHost();
    const from = sender({ host });
    const outcome = post(from, url());
    await host.armed(2);
    await from.close();
    expect(await outcome).toMatchObject(failed('sender_closed'));
    expect(host.pending).toBe(0);
  });
});
