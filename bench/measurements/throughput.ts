/** POST /v1/messages, judged by the document, stored, in the journal, with its events, against a bare Express JSON echo. */
import { startBareExpress, startSandboxProcess, type Server } from '../support/servers.js';
import { load } from '../support/load.js';
import { approveTemplate, recipient, templateSend } from '../support/messages.js';
import { median, ms, ratios, whole, type Line } from '../support/stats.js';

const rounds = 7;

interface Runs {
  readonly rates: number[];
  readonly p99s: number[];
  /** Processor microseconds per request. */
  readonly costs: number[];
}

export async function throughput(): Promise<Line[]> {
  const sandbox = await startSandboxProcess();
  const bare = await startBareExpress();
  try {
    await approveTemplate(sandbox.url);
    for (const { url } of [sandbox, bare]) await load({ url: `${url}/v1/messages`, body, seconds: 2 });
    const ours: Runs = { rates: [], p99s: [], costs: [] };
    const theirs: Runs = { rates: [], p99s: [], costs: [] };
    for (let round = 0; round < rounds; round += 1) {
      await run(sandbox, ours);
      await run(bare, theirs);
    }
    const line = (what: string, part: keyof Runs, shown: (value: number) => string): Line => ({
      what,
      measured: shown(median(ours[part])),
      against: `bare Express echo ${shown(median(theirs[part]))}`,
      ratio: ratios(ours[part], theirs[part]),
    });
    return [
      line('POST /v1/messages, template', 'rates', (rate) => `${whole(rate)}/s`),
      line('the same, p99', 'p99s', ms),
      ...(ours.costs.length > 0
        ? [line('the same, processor time a request', 'costs', (us) => `${whole(us)} µs`)]
        : []),
    ];
  } finally {
    await sandbox.stop();
    await bare.stop();
  }
}

const body = templateSend(recipient(1));

async function run(server: Server, runs: Runs): Promise<void> {
  const before = server.cpuMs();
  const { rate, p99Ms, count } = await load({ url: `${server.url}/v1/messages`, body, seconds: 2 });
  const after = server.cpuMs();
  runs.rates.push(rate);
  runs.p99s.push(p99Ms);
  if (before !== null && after !== null) runs.costs.push(((after - before) * 1_000) / count);
}
