/** A sandbox that can be asked for its heap and its event loop. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { builtCli } from './built.js';
import { serverNode } from './node.js';
import { freePort, startServer, type Server } from './process.js';

const probe = pathToFileURL(join(import.meta.dirname, 'probe.mjs')).href;

export interface ProbedServer extends Server {
  /** Bytes in use after a collection, on the heap and beside it. */
  memory(): Promise<number>;
  /** The longest that the event loop was held since this was asked last, in milliseconds. */
  longestDelay(): Promise<number>;
}

/** The journal is kept short: what it holds is bounded, and large where batches are sent. */
export async function startProbedSandbox(...flags: string[]): Promise<ProbedServer> {
  const port = await freePort();
  const own = ['--port', `${port}`, '--log-level', 'error', '--max-journal', '100'];
  const args = ['--expose-gc', '--import', probe, await builtCli(), 'start', ...own, ...flags];
  const server = await startServer({ file: serverNode(), args, asked: true }, port, '/readyz');
  return { ...server, memory: () => server.ask('memory'), longestDelay: () => server.ask('delay') };
}
