/** HEAD is answered wherever GET is, with the same head and nothing after it (RFC 9110, 9.3.2). */
import { beforeAll, describe, expect, it } from 'vitest';
import { newWorld, type World } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

let world: World;
const { sandbox } = useSandbox({ clock: frozen });
beforeAll(async () => {
  world = newWorld(sandbox, 'head');
  await world.register('https://sink.sandbox/app');
  await world.inbound('+12025550110');
  await world.text();
  await world.advance('1m');
});

/** What differs from call to call: its number, the instant, what the client wants of its connection; and how bytes come that do not. */
const own = ['x-sandbox-request', 'date', 'connection', 'keep-alive', 'transfer-encoding', 'content-encoding'];

async function ask(method: 'GET' | 'HEAD', path: string) {
  const response = await fetch(sandbox.url + path, { method, headers: { authorization: `Bearer ${world.key}` } });
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !own.includes(name)));
  return { status: response.status, headers, text: await response.text() };
}

describe('HEAD', () => {
  it.each([
    '/v1/templates',
    '/v1/webhooks',
    '/_sandbox/messages',
    '/_sandbox/scenario',
    '/_sandbox/coverage',
    '/_sandbox/openapi.json',
    '/_sandbox/docs',
    '/llms.txt',
    '/livez',
    '/readyz',
    '/_sandbox/ui',
    '/v1/messages/none',
    '/v1/nowhere',
    '/_sandbox/nowhere',
    '/_sandbox/events?type=message.status,message.received',
    '/_sandbox/messages?limit=0',
    '/_sandbox/verdict?format=junit',
  ])('%s answers as GET does, without the body', async (path) => {
    const [got, head] = [await ask('GET', path), await ask('HEAD', path)];
    expect(head).toEqual({ status: got.status, headers: got.headers, text: '' });
    if (path !== '/_sandbox/ui') expect(got.headers['content-length']).toBe(String(Buffer.byteLength(got.text)));
  });

  it('is not known where GET is not, and Allow names the methods of the document', async () => {
    expect(await ask('HEAD', '/v1/messages')).toMatchObject({ status: 405, headers: { allow: 'POST' }, text: '' });
    expect((await world.call('PUT', '/v1/templates', {})).headers.get('allow')).toBe('GET, POST');
    expect((await world.call('POST', '/_sandbox/verdict')).headers.get('allow')).toBe('GET');
  });
});
