/** What grows with what is stored, and should not: sending, looking up, and a filtered page, at few and at 100,000 messages. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineTime } from '../../src/time/host.js';
import { startSandboxProcess } from '../support/servers.js';
import { call, load } from '../support/load.js';
import { approveTemplate, fill, recipient, templateSend } from '../support/messages.js';
import { median, ms, whole, type Line } from '../support/stats.js';

const few = 1_000;
const many = 100_000;
const rounds = 5;
/** Whose messages are asked for: 30 of them, the same few and many others around. */
const needle = '+4915100000000';

export async function growth(): Promise<Line[]> {
  return measure('in memory', []);
}

export async function growthOnDisk(): Promise<Line[]> {
  const dir = await mkdtemp(join(tmpdir(), 'bench-data-'));
  try {
    return await measure('with --data', ['--data', dir]);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

interface Sample {
  readonly sendRate: number;
  readonly sendCpuUs: number | null;
  readonly lookupRate: number;
  readonly pageMs: number;
}

async function measure(where: string, flags: readonly string[]): Promise<Line[]> {
  const server = await startSandboxProcess(...flags);
  const { url } = server;
  try {
    await approveTemplate(url);
    let id = '';
    for (let i = 0; i < 30; i += 1) {
      const sent = await call<{ message_id: string }>(`${url}/v1/messages`, 'POST', templateSend(needle));
      id ||= sent.message_id;
    }
    const sample = async (): Promise<Sample> => {
      const sends: number[] = [];
      const costs: number[] = [];
      const lookups: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const before = server.cpuMs();
        const run = await load({ url: `${url}/v1/messages`, body: templateSend(recipient(1)), seconds: 1 });
        const after = server.cpuMs();
        sends.push(run.rate);
        if (before !== null && after !== null) costs.push(((after - before) * 1_000) / run.count);
        lookups.push((await load({ url: `${url}/v1/messages/${id}`, method: 'GET', seconds: 1 })).rate);
      }
      return {
        sendRate: median(sends),
        sendCpuUs: costs.length === 0 ? null : median(costs),
        lookupRate: median(lookups),
        pageMs: await pageTime(url),
      };
    };
    await load({ url: `${url}/v1/messages`, body: templateSend(recipient(1)), amount: few });
    const small = await sample();
    const filledFrom = machineTime.monotonic();
    await fill(url, many);
    await call(`${url}/_sandbox/idle?timeout=60s`, 'POST');
    const fillMs = machineTime.monotonic() - filledFrom;
    const large = await sample();
    return [
      line(
        `POST /v1/messages, ${where}`,
        (at) => at.sendRate,
        (rate) => `${whole(rate)}/s`,
      ),
      line(
        `the same, processor time a request`,
        (at) => at.sendCpuUs ?? Number.NaN,
        (us) => `${whole(us)} µs`,
      ),
      line(
        `GET /v1/messages/{id}, ${where}`,
        (at) => at.lookupRate,
        (rate) => `${whole(rate)}/s`,
      ),
      line(`a page of 20, two filters, ${where}`, (at) => at.pageMs, ms),
      {
        what: `100,000 messages in batches of 100, all events, ${where}`,
        measured: `${whole(many / (fillMs / 1_000))} messages/s`,
        against: '',
        ratio: '',
      },
    ];

    function line(what: string, value: (at: Sample) => number, shown: (value: number) => string): Line {
      const [now, then] = [value(large), value(small)];
      return {
        what,
        measured: `at ${whole(many)}: ${shown(now)}`,
        against: `at a few thousand: ${shown(then)}`,
        ratio: (now / then).toFixed(2),
      };
    }
  } finally {
    await server.stop();
  }
}

/** Milliseconds of one call for the needle's messages that were read. */
async function pageTime(url: string): Promise<number> {
  const times: number[] = [];
  const query = `to=${encodeURIComponent(needle)}&status=read&limit=20`;
  for (let i = 0; i < 200; i += 1) {
    const from = machineTime.monotonic();
    const { items } = await call<{ items: unknown[] }>(`${url}/_sandbox/messages?${query}`);
    times.push(machineTime.monotonic() - from);
    if (items.length !== 20) throw new Error(`expected a page of 20, got ${items.length}`);
  }
  return median(times);
}
