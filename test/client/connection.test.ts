/** Over how many connections calls go. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { openConnection } from '../../src/client/connection.js';
import { machineTime } from '../../src/time/system-clock.js';
import { closing } from '../support/closing.js';

afterEach(() => {
  vi.restoreAllMocks();
});

it('calls one after another share a connection; one after a pause has its own, and breaks none that is in use', async () => {
  let opened = 0;
  const waiting: (() => void)[] = [];
  const server = closing(
    createServer(({ url }, response) => {
      response.setHeader('content-type', 'application/json');
      if (url === '/later') waiting.push(() => response.end('"late"'));
      else response.end('"now"');
    }).on('connection', () => (opened += 1)),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connection = openConnection({ url: `http://127.0.0.1:${port}`, key: 'own', controlToken: null });

  for (let calls = 0; calls < 3; calls += 1) expect(await connection.call('GET', '/')).toBe('now');
  expect(opened).toBe(1);
  const late = connection.call('POST', '/later');
  expect(await connection.call('GET', '/')).toBe('now');
  expect(opened).toBe(2);
  const now = machineTime.monotonic();
  vi.spyOn(machineTime, 'monotonic').mockReturnValue(now + 2_000);
  expect(await connection.call('GET', '/')).toBe('now');
  expect(opened).toBe(3);
  for (const end of waiting) end();
  expect(await late).toBe('late');
});
