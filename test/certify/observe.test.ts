import { afterEach, describe, expect, it } from 'vitest';
import { ObserveError, createObserver } from '../../src/certify/receiver-client.js';
import { freePort, startReceiver } from '../support/receivers.js';
import type { Receiver } from '../support/receivers.js';

const opened: Receiver[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((receiver) => receiver.close()));
});

async function reading(status: number, body: string): Promise<number> {
  const receiver = await startReceiver((response) => response.writeHead(status).end(body));
  opened.push(receiver);
  return createObserver(`http://127.0.0.1:${receiver.port}/received`, 10_000)();
}

describe('createObserver', () => {
  it('reads the count with a GET', async () => {
    expect(await reading(200, '{"received":3,"other":true}')).toBe(3);
    expect(opened[0]?.received[0]).toMatchObject({ method: 'GET', path: '/received' });
  });

  it.each([
    [404, 'no such path'],
    [302, ''],
    [200, 'three'],
    [200, '3'],
    [200, 'null'],
    [200, '{"count":3}'],
    [200, '{"received":"3"}'],
    [200, '{"received":-1}'],
    [200, '{"received":1.5}'],
  ])('refuses %i with %j', async (status, body) => {
    const failure = reading(status, body);
    await expect(failure).rejects.toThrow(ObserveError);
    await expect(failure).rejects.toThrow(`answered ${status} ${JSON.stringify(body)}. It must answer GET with 200`);
  });

  it('tells when nobody is there', async () => {
    const observe = createObserver(`http://127.0.0.1:${await freePort()}`, 10_000);
    await expect(observe()).rejects.toThrow(/could not be read: .*ECONNREFUSED/);
  });

  it.each(['localhost:3000', 'file:///etc/hosts', ''])('refuses the URL %j', (url) => {
    expect(() => createObserver(url, 10_000)).toThrow(`"${url}" is not an http:// or https:// URL.`);
  });
});
