/** The sandbox as a process of its own. */
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
