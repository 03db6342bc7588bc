/** The soak itself: rounds of accounts that live and go, and between the rounds a look at what is left of them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { defaultConfig } from '../../src/config.js';
import { silentLog } from '../../src/log.js';
import { createStream } from '../../src/random/stream.js';
import { startSandbox } from '../../src/sandbox.js';
import { SoakClient } from './client.js';
import { live } from './life.js';
import type { Reading } from './steady.js';

export interface SoakOptions {
  /** Calls and connections, about: a life that has begun is lived to its end. */
  readonly operations: number;
  /** Looks at what is left; at least six. */
  readonly rounds: number;
  /** Accounts alive at the same time. */
  readonly lives: number;
  readonly seed: number;
  /** Null: in memory. */
  readonly dataDir: string | null;
  readonly onReading?: (reading: Reading) => void;
}

export interface SoakResult {
  readonly readings: readonly Reading[];
  readonly byStatus: ReadonlyMap<string, number>;
  /** Of Node, such as that something has more listeners than it should; each kind once. */
  readonly warnings: readonly string[];
}

/** @throws Error when a call failed for no reason that the soak gave */
export async function soak({ operations, rounds, lives, seed, dataDir, onReading }: SoakOptions): Promise<SoakResult> {
  const warnings = new Set<string>();
  const onWarning = ({ name, message }: Error): void => void warnings.add(`${name}: ${message}`);
  process.on('warning', onWarning);
  const receiver = createServer((request, response) => {
    // Every tenth attempt fails, so that there are retries to forget.
    request.resume().on('end', () => response.writeHead((failing = (failing + 1) % 10) === 0 ? 500 : 200).end());
  });
  let failing = 0;
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const config = { ...defaultConfig, port: 0, maxJournal: 200, webhookTimeoutMs: 500, dataDir };
  const sandbox = await startSandbox(config, { log: silentLog });
  const chance = createStream(seed, 'soak', 'lives', {});
  const readings: Reading[] = [];
  const byStatus = new Map<string, number>();
  let done = 0;
  let born = 0;
  try {
    const url = `https://localhost:${(receiver.address() as AddressInfo).port}/hook`;
    for (let round = 1; round <= rounds; round += 1) {
      const client = new SoakClient(sandbox.url, lives);
      const until = (operations / rounds) * round - done;
      const worker = async (): Promise<void> => {
        while (client.operations < until) {
          born += 1;
          // One of ten carries a scenario that nobody knows, and its account is told so with every answer.
          const key = born % 10 === 0 ? `soak-${born}~nobody-knows` : `soak-${born}`;
          await live({ client, key, chance, receiver: url });
        }
      };
      await Promise.all(Array.from({ length: lives }, worker));
      await client.close();
      done += client.operations;
      for (const [status, count] of client.byStatus) byStatus.set(status, (byStatus.get(status) ?? 0) + count);
      receiver.closeAllConnections();
      const reading = { operations: done, heapBytes: await heapAtRest(), resources: countedResources() };
      readings.push(reading);
      onReading?.(reading);
    }
    return { readings, byStatus, warnings: [...warnings] };
  } finally {
    await sandbox.close();
    receiver.close();
    process.off('warning', onWarning);
  }
}

/** Several times, with turns of the loop between: what closes does so over a few of them, and finalisers run last. */
async function heapAtRest(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
  return process.memoryUsage().heapUsed;
}

function countedResources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
