/** What it costs to move a frozen clock over many pending jobs, without endpoints (issue: 30 d over 100,000 under 3 s). */
import { machineTime } from '../../src/time/system-clock.js';
import { startSandboxProcess } from '../support/servers.js';
import { call } from '../support/load.js';
import { approveTemplate, fill } from '../support/messages.js';
import type { Figure, Goal } from '../support/figure.js';
import type { Settings } from '../support/settings.js';

/**
 * Each message leaves two jobs, delivered after 300 ms and read after 1 s. In groups 5 ms apart, and all of them sent
 * before the first falls due, they are due at twice as many instants.
 */
const groups = 50;

interface Clock {
  readonly pending: number;
}

export async function advance({ rounds }: Settings): Promise<Figure[]> {
  return [
    await over({ by: '24h', jobs: 10_000, rounds }),
    await over({ by: '30d', jobs: 100_000, rounds, goal: { of: 'value', most: 3_000 } }),
  ];
}

interface Course {
  readonly by: string;
  readonly jobs: number;
  readonly rounds: number;
  readonly goal?: Goal;
}

/** A server of its own, so that what an earlier course has stored is not in the way. */
async function over({ by, jobs, rounds, goal }: Course): Promise<Figure> {
  const server = await startSandboxProcess('--clock', 'frozen');
  const { url } = server;
  const advanceBy = (time: string) => call(`${url}/_sandbox/clock/advance`, 'POST', { by: time });
  try {
    await approveTemplate(url);
    const times: number[] = [];
    const idle: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (let group = 0; group < groups; group += 1) {
        await fill(url, jobs / 2 / groups);
        await advanceBy('5ms');
      }
      const { pending } = await call<Clock>(`${url}/_sandbox/clock`);
      if (pending !== jobs) throw new Error(`${pending} jobs are pending, not ${jobs}`);
      times.push(await timed(() => advanceBy(by)));
      idle.push(await timed(() => advanceBy(by)));
    }
    const what = `advance ${by} over ${jobs.toLocaleString('en')} pending jobs`;
    const against = { what: 'with nothing due', values: idle };
    return { what, unit: 'ms', values: times, against, ...(goal && { goal }) };
  } finally {
    await server.stop();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = machineTime.monotonic();
  await work();
  return machineTime.monotonic() - from;
}
