/** An attacker's page opens a WebSocket to the sandbox. Browsers allow this, and send their cookies and credentials. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { newWorld } from '../support/client.js';
import { rawRequest } from '../support/raw-http.js';
import { startTestSandbox } from '../support/sandbox.js';
import { LiveSocket, refusalOf } from '../live/support.js';

let sandbox: Sandbox;
let guarded: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  guarded = await startTestSandbox({ controlToken: 'let-me-in' });
});
afterAll(() => Promise.all([sandbox.close(), guarded.close()]));

const live = ({ url }: Sandbox, query = '?key=victim') => `${url}/_sandbox/live${query}`;

describe('a page of another origin', () => {
  it.each([
    ['https://evil.example'],
    ['http://localhost.evil.example'],
    ['http://127.0.0.1'],
    ['null'],
    ['file://'],
    ['chrome-extension://abcdefgh'],
    ['http://127.0.0.1:1@evil.example'],
    [''],
  ])('is refused: %j', async (origin) => {
    for (const query of ['?key=victim', '?key=victim&after=0', '?key=victim&tunnel=1']) {
      const refused = await refusalOf(live(sandbox, query), { headers: { origin } });
      expect([refused.status, refused.error.code]).toEqual([403, 'forbidden']);
    }
    // It does not even create an account.
    const { items } = await newWorld(sandbox, 'onlooker').get<{ items: { key: string }[] }>('/_sandbox/accounts');
    expect(items.map(({ key }) => key)).not.toContain('victim');
  });

  it('is refused under a name of its own, which resolves to this machine', async () => {
    const host = 'rebound.example';
    expect(await refusalOf(live(sandbox), { headers: { host, origin: `http://${host}` } })).toMatchObject({
      status: 403,
    });
  });

  it('gets no further with the token in a cookie, and an own page gets nowhere without it', async () => {
    const cookie = 'control_token=let-me-in; X-Sandbox-Token=let-me-in';
    expect(await refusalOf(live(guarded), { headers: { cookie } })).toMatchObject({ status: 401 });
    expect(await refusalOf(live(guarded), { headers: { origin: guarded.url } })).toMatchObject({ status: 401 });
    const foreign = { origin: 'https://evil.example', 'x-sandbox-token': 'let-me-in' };
    expect(await refusalOf(live(guarded), { headers: foreign })).toMatchObject({ status: 403 });
  });
});

describe('the refusal', () => {
  it('repeats what it was sent without letting it out of its line', async () => {
    const answer = await rawRequest(sandbox.url, 'GET', '/_sandbox/live?aft%0d%0aX-Injected:%20yes=1', [
      ['Host', 'localhost'],
      ['Connection', 'Upgrade'],
      ['Upgrade', 'websocket'],
      ['Sec-WebSocket-Version', '13'],
      ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
      ['Sec-WebSocket-Protocol', 'a, b'],
    ]);
    expect(answer.status).toBe(400);
    expect(answer.head).not.toMatch(/^x-injected/im);
    expect(answer.head).toMatch(/content-type: application\/json/i);
  });
});

describe('a client that was let in', () => {
  it('cannot send more than an answer needs, and hurts nobody by trying', async () => {
    const bully = await LiveSocket.open(sandbox, 'key=bully');
    const bystander = await LiveSocket.open(sandbox, 'key=bystander');
    bully.socket.on('error', () => undefined);
    bully.say('x'.repeat(1024 * 1024 + 1));
    expect((await bully.closed).code).toBe(1009);
    bystander.say('{"__proto__":{"polluted":"yes"},"id":"constructor"}');
    await bystander.next('error');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    await bystander.close();
  });
});
