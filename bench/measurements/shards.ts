/** One, two and three processes behind the shipped proxy, and one without it: sends a second, and what each send costs. */
import autocannon from 'autocannon';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startServer, type Server } from '../support/process.js';
import { startSandboxProcess } from '../support/servers.js';
import type { Settings } from '../support/settings.js';
import { median, whole, type Line } from '../support/stats.js';

/** Enough that no process is left with few of them. */
const accounts = 60;
const most = 3;
/** The window of this number is open from the start, so an account needs no preparation. */
const body = JSON.stringify({ to: '+12025550150', type: 'text', text: 'Your order has left.' });

interface Taken {
  readonly rate: number;
  /** Processor microseconds of the sandboxes, and of the proxy, per send. */
  readonly sandboxUs: number;
  readonly proxyUs: number;
  /** Share of a processor that the generator itself took. */
  readonly generator: number;
}

export async function shards({ rounds, seconds, connections }: Settings): Promise<Line[]> {
  if (spawnSync('haproxy', ['-v']).error !== undefined) {
    return [
      { what: 'processes behind a proxy', measured: 'not measured', against: 'haproxy is not installed', ratio: '' },
    ];
  }
  const folder = await mkdtemp(join(tmpdir(), 'bench-shards-'));
  const sandboxes: Server[] = [];
  const proxies: Server[] = [];
  try {
    for (let i = 0; i < most; i += 1) sandboxes.push(await startSandboxProcess());
    for (let n = 1; n <= most; n += 1) proxies.push(await startProxy(folder, sandboxes.slice(0, n)));
    const ways = [
      { what: 'one process, asked directly', url: sandboxes[0]?.url ?? '', proxy: null },
      ...proxies.map((proxy, i) => ({
        what: i === 0 ? 'one process behind the proxy' : `${i + 1} processes behind the proxy`,
        url: proxy.url,
        proxy,
      })),
    ];
    const taken: Taken[][] = ways.map(() => []);
    for (const { url } of ways) await fire(url, 1, connections);
    for (let round = 0; round < rounds; round += 1) {
      for (const [i, { url, proxy }] of ways.entries()) {
        taken[i]?.push(await run(url, sandboxes, proxy, seconds, connections));
      }
    }
    return ways.map(({ what }, i) => line(what, taken[i] ?? [], taken[1] ?? []));
  } finally {
    for (const server of [...proxies, ...sandboxes]) await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The shipped configuration, with as many servers as are wanted and their addresses in it. */
async function startProxy(folder: string, before: readonly Server[]): Promise<Server> {
  const port = await freePort();
  const file = join(folder, `haproxy-${before.length}.cfg`);
  let text = await readFile('deploy/haproxy/haproxy.cfg', 'utf8');
  text = text.replace('"${PROXY_BIND}"', `127.0.0.1:${port}`).replace('lt 3', `lt ${before.length}`);
  for (let i = 1; i <= most; i += 1) {
    const server = before[i - 1];
    text =
      server === undefined
        ? text.replaceAll(new RegExp(`^ +server shard-${i} .*\n`, 'gm'), '')
        : text.replaceAll(`"\${SHARD_${i}}"`, new URL(server.url).host);
  }
  await writeFile(file, text);
  return startServer({ file: 'haproxy', args: ['-f', file, '-db', '-q'] }, port, '/readyz');
}

async function run(
  url: string,
  sandboxes: readonly Server[],
  proxy: Server | null,
  seconds: number,
  connections: number,
): Promise<Taken> {
  const used = () => [sandboxes.reduce((sum, each) => sum + (each.cpuMs() ?? 0), 0), proxy?.cpuMs() ?? 0] as const;
  const own = process.cpuUsage();
  const before = used();
  const { count, rate, duration } = await fire(url, seconds, connections);
  const after = used();
  const { user, system } = process.cpuUsage(own);
  return {
    rate,
    sandboxUs: ((after[0] - before[0]) * 1_000) / count,
    proxyUs: ((after[1] - before[1]) * 1_000) / count,
    generator: (user + system) / 1e6 / duration,
  };
}

/** Sends of all accounts in turn. @throws Error when anything but 2xx was answered */
async function fire(url: string, seconds: number, connections: number) {
  const requests = Array.from({ length: accounts }, (_, i) => ({
    method: 'POST' as const,
    path: '/v1/messages',
    headers: { 'content-type': 'application/json', authorization: `Bearer account-${i}` },
    body,
  }));
  const result = await autocannon({ url, connections, duration: seconds, requests });
  if (result.non2xx + result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} answers were no 2xx, ${result.errors} requests failed`);
  }
  return { count: result['2xx'], rate: result['2xx'] / result.duration, duration: result.duration };
}

function line(what: string, taken: readonly Taken[], one: readonly Taken[]): Line {
  const middle = (part: keyof Taken) => median(taken.map((each) => each[part]));
  const [sandbox, proxy] = [whole(middle('sandboxUs')), whole(middle('proxyUs'))];
  return {
    what,
    measured: `${whole(middle('rate'))} sends/s`,
    against: `processor time a send: sandboxes ${sandbox} µs, proxy ${proxy} µs; generator ${middle('generator').toFixed(2)} of a processor`,
    ratio: (middle('rate') / median(one.map(({ rate }) => rate))).toFixed(2),
  };
}
