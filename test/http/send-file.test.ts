/** What is opened for an answer is closed, however the answer ends. */
import { createReadStream, mkdtempSync, rmSync, writeFileSync, type ReadStream } from 'node:fs';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, afterAll, expect, it, onTestFinished } from 'vitest';
import { sendFile } from '../../src/http/pages/send-file.js';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'send-file-'));
  // More than fits into the buffers between the file and a client that does not read.
  writeFileSync(join(dir, 'large.js'), 'x'.repeat(64 * 1024 * 1024));
  writeFileSync(join(dir, 'small.js'), 'small');
});
afterAll(() => rmSync(dir, { recursive: true }));

type Answer = (response: ServerResponse) => void;

async function answered(answer: Answer): Promise<IncomingMessage> {
  const server = createServer((_request, response) => answer(response));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const [response] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [IncomingMessage];
  return response;
}

const fail = (error: unknown): never => {
  throw error;
};

it('sends the bytes with their type', async () => {
  const response = await answered((to) => sendFile(to, join(dir, 'small.js'), 'text/javascript', fail));
  expect(response.headers).toMatchObject({ 'content-type': 'text/javascript', 'x-content-type-options': 'nosniff' });
  expect(Buffer.concat(await response.toArray()).toString()).toBe('small');
});

it('lets the file go when the client does', async () => {
  const opened: ReadStream[] = [];
  const open = ((path: string) => {
    const file = createReadStream(path);
    opened.push(file);
    return file;
  }) as typeof createReadStream;
  const response = await answered((to) => sendFile(to, join(dir, 'large.js'), 'text/javascript', fail, open));
  const [file] = opened as [ReadStream];
  const closed = new Promise<void>((resolve) => file.once('close', resolve));
  response.destroy();
  await closed;
  expect(opened).toHaveLength(1);
});

it('tells of a file that is gone, and leaves the answer to whoever is told', async () => {
  const response = await answered((to) =>
    sendFile(to, join(dir, 'gone.js'), 'text/javascript', (error) =>
      to.writeHead(500).end((error as NodeJS.ErrnoException).code),
    ),
  );
  expect(response.statusCode).toBe(500);
  expect(Buffer.concat(await response.toArray()).toString()).toBe('ENOENT');
});
