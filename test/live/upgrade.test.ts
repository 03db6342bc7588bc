/** Which clients may open a live stream; rejected upgrades do not affect ordinary calls. */
import { describe, expect, it } from 'vitest';
import { maxSockets } from '../../src/live/hub.js';
import type { Sandbox } from '../../src/sandbox.js';
import { newWorld } from '../support/client.js';
import { rawRequest, sendRaw } from '../support/raw-http.js';
import { startTestSandbox, useSandbox } from '../support/sandbox.js';
import { LiveSocket, refusalOf } from './support.js';

const { sandbox: open } = useSandbox();
const { sandbox: guarded } = useSandbox({ controlToken: 'let me in', apiKeys: ['mine'] });

const live = ({ url }: Sandbox, query = ''): string => `${url}/_sandbox/live${query}`;

describe('refused is', () => {
  it.each([
    ['a page of another origin', { origin: 'https://evil.example' }, /pages of https:\/\/evil\.example/],
    ['a page without an origin', { origin: 'null' }, /pages of null/],
    ['a foreign host', { host: 'rebound.example' }, /host "rebound\.example".*--allowed-hosts/],
  ])('%s: 403', async (_who, headers, message) => {
    const refused = await refusalOf(live(open, '?key=k'), { headers });
    expect(refused).toMatchObject({
      status: 403,
      error: { code: 'forbidden', message: expect.stringMatching(message) as string },
    });
  });

  it('any other path: 404', async () => {
    for (const path of ['/', '/_sandbox/live/', '/_sandbox/live/x', '/v1/messages', '/_sandbox/lives']) {
      const refused = await refusalOf(open.url + path);
      expect([path, refused.status, refused.error.code]).toEqual([path, 404, 'not_found']);
      expect(refused.error.message).toContain('/_sandbox/live');
    }
  });

  it.each([
    ['?after=1', /^after is unknown\. Known: key,/],
    ['?tunel=1', /^tunel is unknown\. Did you mean "tunnel"\?/],
    ['?key=a&key=b', /^key is given twice/],
    ['?tunnel=yes', /^tunnel must be 1 or 0; found "yes"/],
    ['?tunnel=1&summary=1', /^summary does not belong to a tunnel/],
    ['?events=message.status', /^events belongs to a tunnel; add tunnel=1/],
    ['?tunnel=1&events=message.statu', /unknown event type "message\.statu"\. Did you mean "message\.status"\?/],
    ['?tunnel=1&secret=mine', /^secret must begin with "whsec_"/],
  ])('%s: 400', async (query, message) => {
    const refused = await refusalOf(live(open, query));
    expect(refused).toMatchObject({
      status: 400,
      error: { code: 'validation_error', message: expect.stringMatching(message) as string },
    });
  });

  it.each([
    ['no token', '?key=mine', {}],
    ['a wrong token', '?key=mine&control_token=let+me', {}],
    ['a key in place of the token', '?control_token=mine', {}],
    ['a key that is not of the list', '?key=yours', { 'x-sandbox-token': 'let me in' }],
    ['an Authorization that is no Bearer', '', { 'x-sandbox-token': 'let me in', authorization: 'Basic eDp5' }],
    ['an empty key', '?key=', { 'x-sandbox-token': 'let me in' }],
  ])('%s: 401', async (_what, query, headers) => {
    const refused = await refusalOf(live(guarded, query), { headers });
    expect(refused).toMatchObject({ status: 401, error: { code: 'unauthorized' } });
    expect(refused.headers['www-authenticate']).toBe('Bearer');
    if (query === '?key=') expect(refused.error.message).toBe('The API key is empty; send one, or omit it.');
  });
});

it('an incomplete handshake gets the envelope of every error', async () => {
  const upgrade = `GET /_sandbox/live?key=k HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
  const { status, body } = await sendRaw(open.url, `${upgrade}\r\n`);
  expect([status, JSON.parse(body)]).toEqual([
    400,
    {
      error: {
        code: 'validation_error',
        message: 'This is not a WebSocket handshake: Missing or invalid Sec-WebSocket-Key header.',
      },
    },
  ]);
});

describe('let in is', () => {
  it.each([
    ['the token in its header', '?key=mine', { 'x-sandbox-token': 'let me in' }],
    ['the token in the query', '?key=mine&control_token=let+me+in', {}],
    ['the page of the sandbox itself', '?key=mine&control_token=let%20me%20in', { origin: 'self' }],
    ['the key in its header', '', { 'x-sandbox-token': 'let me in', authorization: 'Bearer mine' }],
  ])('%s', async (_what, query, headers) => {
    const own = 'origin' in headers ? { ...headers, origin: guarded.url } : headers;
    const socket = await LiveSocket.open(guarded, query.slice(1), { headers: own });
    await socket.close();
  });
});

it('a client that sends more than 1 MiB at once is disconnected', async () => {
  const bully = await LiveSocket.open(open, 'key=bully');
  bully.socket.on('error', () => undefined);
  bully.say('x'.repeat(1024 * 1024 + 1));
  expect((await bully.closed).code).toBe(1009);
});

describe('ordinary calls', () => {
  it.each(['h2c', 'HTTP/2.0', 'TLS/1.0'])(
    'that offer to go on in %s are answered as if they had not',
    async (protocol) => {
      const world = newWorld(open);
      await world.put('/_sandbox/customers/+12025550110/window', { open: true });
      const body = JSON.stringify({ to: '+12025550110', type: 'text', text: 'from Java' });
      const headers: [string, string][] = [
        ['Host', '127.0.0.1'],
        ['Authorization', `Bearer ${world.key}`],
        ['Content-Type', 'application/json'],
        ['Connection', 'Upgrade, HTTP2-Settings'],
        ['Upgrade', protocol],
        ['HTTP2-Settings', 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA'],
      ];
      const answer = await rawRequest(open.url, 'POST', '/v1/messages', headers, body);
      expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('accepted') as string });
      expect(await world.items('/_sandbox/messages')).toMatchObject([{ text: 'from Java' }]);
    },
  );
});

describe('the limit', () => {
  it('is told in the info, refuses with 503, and takes the next one when a socket has left', async () => {
    const sandbox = await startTestSandbox();
    const { limits } = await newWorld(sandbox).get<{ limits: { sockets: number } }>('/_sandbox/info');
    expect(limits.sockets).toBe(maxSockets);
    const sockets: LiveSocket[] = [];
    while (sockets.length < maxSockets) {
      const lot = Array.from({ length: 100 }, () => LiveSocket.open(sandbox, 'key=many'));
      sockets.push(...(await Promise.all(lot)));
    }
    const refused = await refusalOf(live(sandbox, '?key=other'));
    expect(refused).toMatchObject({ status: 503, error: { code: 'limit_reached' }, headers: { 'retry-after': '1' } });
    expect(refused.error.message).toContain(`${maxSockets} live sockets`);
    await sockets[0]?.close();
    // The server hears of the end a moment after the client.
    const another = async (): Promise<LiveSocket> => LiveSocket.open(sandbox, 'key=other').catch(another);
    await (await another()).close();
    await sandbox.close();
  });
});
