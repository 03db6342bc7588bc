/** The sandbox and a receiver of webhooks, each a process of its own. */
import { builtCli } from './built.js';
import { serverNode } from './node.js';
import { freePort, startServer, type Server } from './process.js';

export type { Server } from './process.js';

/** `messaging-sandbox start` on a free port. `BENCH_NODE_FLAGS`, such as `--cpu-prof`, go to its node. */
export async function startSandboxProcess(...flags: string[]): Promise<Server> {
  const nodeFlags = (process.env['BENCH_NODE_FLAGS'] ?? '').split(' ').filter((flag) => flag !== '');
  const port = await freePort();
  const args = [...nodeFlags, await builtCli(), 'start', '--port', `${port}`, '--log-level', 'error', ...flags];
  return startServer({ file: serverNode(), args }, port, '/readyz');
}

/**
 * A receiver of webhooks that says 200 to everything, but leaves paths that begin with /hang without an answer.
 * GET /count says how many it answered.
 */
const bareReceiver = `
  import { createServer } from 'node:http';
  let count = 0;
  const server = createServer((request, response) => {
    if (request.url === '/count') return response.end(String(count));
    request.resume().on('end', () => {
      if (request.url.startsWith('/hang')) return;
      count += 1;
      response.end('ok');
    });
  });
  server.listen(Number(process.argv[1]), '127.0.0.1');
`;

export async function startReceiver(): Promise<Server> {
  const port = await freePort();
  const args = ['--input-type=module', '-e', bareReceiver, `${port}`];
  return startServer({ file: serverNode(), args }, port, '/count');
}
