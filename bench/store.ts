/**
 * The store as it grows (contract §7): a write must cost the same whatever is stored, a checkpoint must not hold the event
 * loop, and loading must be fast. Prints a table; the ratios are what counts, the milliseconds are this machine's.
 *
 *   npx tsx bench/store.ts [rows, default 1000000]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Message } from '../src/domain/message.js';
import { createTables } from '../src/store/tables/account-data.js';
import { AccountStore } from '../src/store/tables/account-store.js';
import { openDirectory } from '../src/store/disk/directory.js';
import { FilePersistence } from '../src/store/disk/file-persistence.js';
import { machineTime } from '../src/time/system-clock.js';

const rows = Number(process.argv[2] ?? 1_000_000);
const step = Math.max(1, Math.floor(rows / 10));
const startMs = Date.UTC(2026, 2, 1, 9);

function message(seq: number): Message {
  const id = `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`;
  return {
    id,
    seq,
    wamid: `wamid.${id}`,
    origin: 'api',
    customer: `+1202555${String(seq % 10_000).padStart(4, '0')}`,
    type: 'text',
    content: { text: 'Your order has left the warehouse and will be with you tomorrow.' },
    status: 'accepted',
    error: null,
    createdAtMs: startMs + seq,
    history: [{ status: 'accepted', atMs: startMs + seq }],
    explain: { by: 'default', text: 'No rule matched; the default lifecycle applies.' },
  };
}

/** Event-loop delay while `work` runs, in milliseconds. The resolution of the monitor itself is taken off. */
async function delayDuring(work: () => Promise<void>): Promise<{ p99: number; max: number; ms: number }> {
  const monitor = monitorEventLoopDelay({ resolution: 1 });
  monitor.enable();
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  monitor.disable();
  return { p99: monitor.percentile(99) / 1e6 - 1, max: monitor.max / 1e6 - 1, ms };
}

async function main(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'sandbox-bench-'));
  const warn = (text: string): void => console.log(text);
  try {
    const directory = await openDirectory({ dir, host: machineTime, fsync: 'interval', warn });
    const clock = { mode: 'frozen', scale: 1, baseMs: startMs, anchorMs: startMs } as const;
    const data = { meta: { createdAtMs: startMs, seq: 0, draws: {}, clock }, tables: createTables() };
    const persistence = directory.create('bench', data);
    const store = new AccountStore(data, persistence);
    const { messages } = store.tables;

    console.log('rows      writes/s   loop delay p99 / max (ms)');
    const rates: number[] = [];
    while (messages.size < rows) {
      const { ms, p99, max } = await delayDuring(async () => {
        for (let n = 0; n < step; n += 1) {
          const stored = store.update(() => messages.insert(message(store.nextSeq())));
          if (n % 2 === 0) store.update(() => messages.patch(stored, { status: 'sent' }));
          // A turn of the loop for every 16 writes, as under load.
          if (n % 16 === 15) await new Promise((resolve) => setImmediate(resolve));
        }
        await store.flushed();
      });
      rates.push((step / ms) * 1000);
      console.log(
        `${String(messages.size).padEnd(9)} ${(rates.at(-1) ?? 0).toFixed(0).padEnd(10)} ${p99.toFixed(1)} / ${max.toFixed(1)}`,
      );
    }
    const [first = 1] = rates;
    console.log(
      `last tenth over first: ${((rates.at(-1) ?? 0) / first).toFixed(2)}; worst over first: ${(Math.min(...rates) / first).toFixed(2)}`,
    );

    if (persistence instanceof FilePersistence) {
      // One may be under way already: the next is the one that is measured.
      await persistence.fold();
      const { ms, p99, max } = await delayDuring(() => persistence.fold());
      console.log(
        `checkpoint of ${String(messages.size)} rows: ${ms.toFixed(0)} ms, loop delay p99 ${p99.toFixed(1)} ms, max ${max.toFixed(1)} ms`,
      );
    }
    await directory.close();

    const again = await openDirectory({ dir, host: machineTime, fsync: 'interval', warn });
    const start = performance.now();
    const cpu = process.cpuUsage();
    const loaded = await again.load('bench');
    const ms = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    const size = loaded?.data.tables.messages.size ?? 0;
    console.log(
      `load of ${String(size)} rows: ${ms.toFixed(0)} ms, ${((ms / size) * 100_000).toFixed(0)} ms per 100,000; ` +
        `processor time ${((user + system) / 1000).toFixed(0)} ms`,
    );
    await again.close();
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

await main();
