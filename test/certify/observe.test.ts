import { expect, it } from 'vitest';
import { ObserveError, createObserver } from '../../src/certify/receiver-client.js';
import { freePort, receiver } from '../support/receivers.js';

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
  const { port } = await receiver((response) => response.writeHead(status).end(body));
  const failure = createObserver(`http://127.0.0.1:${port}/received`, 10_000)();
  await expect(failure).rejects.toThrow(ObserveError);
  await expect(failure).rejects.toThrow(`answered ${status} ${JSON.stringify(body)}. It must answer GET with 200`);
});

it('rejects if nothing listens at the URL', async () => {
  const observe = createObserver(`http://127.0.0.1:${await freePort()}`, 10_000);
  await expect(observe()).rejects.toThrow(/could not be read: .*ECONNREFUSED/);
});

it.each(['localhost:3000', 'file:///etc/hosts', ''])('refuses the URL %j', (url) => {
  expect(() => createObserver(url, 10_000)).toThrow(`"${url}" is not an http:// or https:// URL.`);
});
