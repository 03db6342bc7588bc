/** The proxy of deploy/haproxy, where it is installed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { machineTime } from '../../src/time/host.js';

export interface Proxy {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Runs the shipped configuration before these addresses, and waits until it takes calls.
 * @param shards `host:port` of the three processes
 * @throws Error with what it said, when it ends instead
 */
export async function startProxy(shards: readonly string[], controlToken = ''): Promise<Proxy> {
  const port = await freePort();
  const names = Object.fromEntries(shards.map((address, i) => [`SHARD_${i + 1}`, address]));
  const env = { ...process.env, ...names, PROXY_BIND: `127.0.0.1:${port}`, SANDBOX_CONTROL_TOKEN: controlToken };
  const child = spawn('haproxy', ['-f', 'deploy/haproxy/haproxy.cfg', '-db', '-q'], { env });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`haproxy ended with ${child.exitCode}: ${said}`);
    await new Promise<void>((done) => void machineTime.setTimer(20, done));
  }
  return {
    url,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** A port that was free a moment ago: the proxy cannot be asked which one it took. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
