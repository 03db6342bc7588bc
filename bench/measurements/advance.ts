/** One advance of 24 h over 10,000 pending jobs, without endpoints. */
import { machineTime } from '../../src/time/host.js';
import { startSandboxProcess } from '../support/servers.js';
import { call } from '../support/load.js';
import { approveTemplate, fill } from '../support/messages.js';
import { median, ms, whole, type Line } from '../support/stats.js';

const jobs = 10_000;
const batches = 50;
const rounds = 5;

interface Clock {
  readonly pending: number;
}

export async function advance(): Promise<Line[]> {
  const server = await startSandboxProcess('--clock', 'frozen');
  const { url } = server;
  const advanceBy = (by: string) => call<Clock>(`${url}/_sandbox/clock/advance`, 'POST', { by });
  try {
    await approveTemplate(url);
    const times: number[] = [];
    const idle: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // Each message leaves two jobs, delivered and read; five milliseconds apart, they fall due at 100 instants.
      for (let batch = 0; batch < batches; batch += 1) {
        await fill(url, jobs / 2 / batches, batch * 100);
        await advanceBy('5ms');
      }
      const { pending } = await call<Clock>(`${url}/_sandbox/clock`);
      if (pending !== jobs) throw new Error(`${pending} jobs are pending, not ${jobs}`);
      times.push(await timed(() => advanceBy('24h')));
      idle.push(await timed(() => advanceBy('24h')));
    }
    return [
      {
        what: 'advance 24 h over 10,000 jobs',
        measured: `${ms(median(times))} (${whole((jobs * 1_000) / median(times))} jobs/s)`,
        against: `advance with nothing due ${ms(median(idle))}`,
        ratio: '',
      },
    ];
  } finally {
    await server.stop();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = machineTime.monotonic();
  await work();
  return machineTime.monotonic() - from;
}
