/**
 * A million messages, each with its events, in one account: what one costs in memory, whether sending slows down, and how
 * long a start takes that finds them on disk (contract §7). Prints a table; the ratios are what counts.
 *
 *   npx tsx bench/size.ts [messages, default 1000000] [--data]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { defaultConfig } from '../src/config.js';
import { startSandbox, type Sandbox } from '../src/sandbox.js';
import { machineTime } from '../src/time/host.js';
import { benchKey, call } from './support/load.js';
import { approveTemplate, fill } from './support/messages.js';
import { markdownTable, ms, whole, type Line } from './support/stats.js';

const count = Number(process.argv[2] ?? 1_000_000);
const onDisk = process.argv.includes('--data');
const step = Math.max(100, Math.floor(count / 10 / 100) * 100);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes in use after a collection, on the heap and beside it. */
function used(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function main(): Promise<void> {
  const dir = onDisk ? await mkdtemp(join(tmpdir(), 'sandbox-size-')) : null;
  const start = (): Promise<Sandbox> => startSandbox({ ...defaultConfig, port: 0, logLevel: 'error', dataDir: dir });
  try {
    let sandbox = await start();
    await approveTemplate(sandbox.url);
    const before = used();
    const rates: number[] = [];
    const costs: number[] = [];
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    for (let sent = 0; sent < count; sent += step) {
      const from = machineTime.monotonic();
      const cpu = process.cpuUsage();
      await fill(sandbox.url, step, sent);
      await call(`${sandbox.url}/_sandbox/idle?timeout=60s`, 'POST');
      const { user, system } = process.cpuUsage(cpu);
      rates.push((step / (machineTime.monotonic() - from)) * 1000);
      costs.push((user + system) / step);
      console.error(
        `${whole(sent + step)}: ${whole(rates.at(-1) ?? 0)}/s, ${(costs.at(-1) ?? 0).toFixed(1)} µs each, heap ${whole((used() - before) / (sent + step))} bytes each`,
      );
    }
    delays.disable();
    await new Promise<void>((resolve) => machineTime.setTimer(1500, resolve));
    await call(`${sandbox.url}/_sandbox/idle?timeout=60s`, 'POST');
    const { store } = sandbox.accounts.of(benchKey);
    const bytes = (used() - before) / store.tables.messages.size;
    const lines: Line[] = [
      {
        what: 'memory per stored message',
        measured: `${whole(bytes)} bytes`,
        against: '600 bytes',
        ratio: (bytes / 600).toFixed(2),
      },
      {
        what: 'processor time per message sent, last tenth over first',
        measured: `${(costs.at(-1) ?? 0).toFixed(1)} µs`,
        against: `${(costs[0] ?? 0).toFixed(1)} µs`,
        ratio: ((costs.at(-1) ?? 0) / (costs[0] ?? 1)).toFixed(2),
      },
    ];
    await sandbox.close();
    if (dir !== null) {
      const from = machineTime.monotonic();
      sandbox = await start();
      const took = machineTime.monotonic() - from;
      lines.push({
        what: `start with ${whole(count)} messages on disk`,
        measured: ms(took),
        against: '5,000 ms',
        ratio: (took / 5000).toFixed(2),
      });
      await sandbox.close();
    }
    console.log(markdownTable(lines));
  } finally {
    if (dir !== null) await rm(dir, { recursive: true, force: true });
  }
}

await main();
