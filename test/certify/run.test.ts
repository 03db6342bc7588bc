/** What a run does apart from its checks: who is there, who comes back, who is heard. */
import { describe, expect, it } from 'vitest';
import { checks } from '../../src/certify/checks.js';
import { createObserver, ReceiverUnreachable } from '../../src/certify/receiver.js';
import { createSender } from '../../src/webhooks/send.js';
import { closing } from '../support/closing.js';
import { ManualHost } from '../support/manual-host.js';
import { freePort, receiver as plainReceiver } from '../support/receivers.js';
import { hangUp, receiver } from './receiver.js';
import type { Visit } from './receiver.js';
import { certified, foundBy, idsWith } from './support.js';

const only = (...ids: string[]) => checks.filter(({ id }) => ids.includes(id));

describe('nobody there', () => {
  it('ends the run at its first request', async () => {
    const port = await freePort();
    const run = certified(`http://127.0.0.1:${port}/hook`);
    await expect(run).rejects.toThrow(ReceiverUnreachable);
    await expect(run).rejects.toThrow(
      `http://127.0.0.1:${port} refused the connection. No server is listening on port ${port}.`,
    );
  });

  it.each([
    ['https://93.184.216.34/hook', 'add --allow-public-webhooks'],
    ['http://93.184.216.34/hook', 'add --allow-public-webhooks'],
    ['https://sink.sandbox/app', 'Give the URL of your own receiver'],
  ])('tells what to do about %s', async (url, words) => {
    await expect(certified(url)).rejects.toThrow(words);
  });

  it('counts a host that is never found among these', async () => {
    const host = new ManualHost();
    const lookup = () => {
      setImmediate(() => host.tick(10_000));
      return new Promise<never>(() => undefined);
    };
    const sender = closing(createSender({ host, routes: [], allowPublic: false, insideContainer: false, lookup }));
    await expect(certified('https://app.test/hook', { sender })).rejects.toThrow(/still looking up.*firewall/);
  });

  it('does not count a receiver that hangs up', async () => {
    const { url } = await receiver({ before: hangUp });
    const certificate = await certified(url);
    expect(idsWith(certificate, 'passed')).toStrictEqual(['answers-in-time']);
    expect(certificate.certified).toBe(false);
  });
});

it('waits for a receiver that comes back', async () => {
  let away = 0;
  const { url, visits } = await receiver({
    before: (visit) => away > 0 && (away -= 1) >= 0 && hangUp(visit),
    onBrokenJson(visit) {
      away = 10;
      hangUp(visit);
    },
  });
  const certificate = await certified(url, { patienceMs: 60_000 });
  expect(idsWith(certificate, 'failed')).toStrictEqual(['truncated-body']);
  expect(away).toBe(0);
  expect(visits.length).toBeGreaterThan(60);
});

it('plays the chosen checks only, and tells of each as it ends', async () => {
  const { url, visits } = await receiver();
  const heard: string[] = [];
  const chosen = only('disorder', 'late-event');
  const certificate = await certified(url, { checks: chosen, onChecked: ({ check }) => heard.push(check.id) });
  expect(heard).toStrictEqual(['disorder', 'late-event']);
  expect(visits).toHaveLength(4);
  expect(certificate.checks.map(({ exchanges }) => exchanges.length)).toStrictEqual([3, 1]);
  expect(certificate.score).toStrictEqual({ passed: 2, total: 2 });
});

it.each(['answers-in-time', 'answers-promptly', 'keeps-answering'])('%s stands alone too', async (id) => {
  const { url, visits } = await receiver();
  const certificate = await certified(url, { checks: only(id) });
  expect(idsWith(certificate, 'passed')).toStrictEqual([id]);
  expect(visits.length).toBeGreaterThan(0);
});

it('sends what deliveries send', async () => {
  const { url, visits } = await receiver();
  await certified(url, { checks: only('duplicates', 'signature-header-only') });
  const [first, second] = visits;
  const ours = ({ request }: Visit) =>
    Object.entries(request.headers).filter(([name]) => name.startsWith('x-service-'));
  expect(Object.fromEntries(ours(first!))).toStrictEqual({
    'x-service-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/) as string,
    'x-service-event': 'message.received',
    'x-service-event-id': expect.stringMatching(/^evt_/) as string,
    'x-service-delivery': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    'x-service-attempt': '1',
  });
  expect(first?.request.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'messaging-sandbox',
  });
  expect(Object.fromEntries(ours(second!))).toStrictEqual({
    ...Object.fromEntries(ours(first!)),
    'x-service-attempt': '2',
  });
  expect(second?.raw.equals(first?.raw ?? Buffer.of())).toBe(true);
  expect(ours(visits.at(-1)!).map(([name]) => name)).toStrictEqual(['x-service-signature']);
});

it('writes JSON in legal ways that no serialiser would', async () => {
  const { url, visits } = await receiver();
  await certified(url, { checks: only('reformatted-body', 'escaped-body') });
  const bodies = visits.map(({ raw }) => raw.toString());
  expect(bodies.map((body) => body === JSON.stringify(JSON.parse(body)))).toStrictEqual([false, false, false, false]);
  const [spaced, , escaped, ended] = bodies;
  expect(spaced).toContain('\n\t\t"media_url": "https:\\/\\/media.example.com\\/a\\/b.jpg"');
  expect(escaped).toContain('"text":"\\u0057\\u0068\\u0065\\u0072\\u0065 ');
  expect(JSON.parse(escaped ?? '')).toMatchObject({ data: { text: 'Where is my order?' } });
  expect(ended).toMatch(/\}\n$/);
});

describe('a counter', () => {
  it.each([
    [404, 'no such path'],
    [200, 'null'],
    [200, '{"count":3}'],
    [200, '{"received":"3"}'],
    [200, '{"received":-1}'],
  ])('that answers %i with %j is an error', async (status, body) => {
    const { port } = await plainReceiver((response) => response.writeHead(status).end(body));
    await expect(createObserver(`http://127.0.0.1:${port}/received`, 10_000)()).rejects.toThrow(
      `answered ${status} ${JSON.stringify(body)}. It must answer GET with 200`,
    );
  });

  const check = only('deduplicates');

  it('may lag behind', async () => {
    const { url } = await receiver();
    const counts = [5, 5, 5, 6, 6, 7, 7];
    const certificate = await certified(url, { checks: check, observe: () => Promise.resolve(counts.shift() ?? 7) });
    expect(idsWith(certificate, 'passed')).toStrictEqual(['deduplicates']);
  });

  it('may show the duplicate late', async () => {
    const { url } = await receiver();
    const counts = [0, 1, 2, 3];
    const certificate = await certified(url, { checks: check, observe: () => Promise.resolve(counts.shift() ?? 3) });
    expect(foundBy(certificate, 'deduplicates')).toMatch(/went from 0 to 3/);
    expect(idsWith(certificate, 'failed')).toStrictEqual(['deduplicates']);
  });

  it('that never moves is given up', async () => {
    const { url } = await receiver();
    const certificate = await certified(url, { checks: check, observe: () => Promise.resolve(4) });
    expect(foundBy(certificate, 'deduplicates')).toMatch(/went from 4 to 4/);
    expect(certificate.certified).toBe(false);
  });
});
