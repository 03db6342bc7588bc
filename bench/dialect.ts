/** Measures what a dialect that sets every form of a send costs: a sandbox with it in turns with one without. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DialectFile } from '../src/dialect/index.js';
import { call, load } from './load.js';
import type { Settings } from './settings.js';
import { approveTemplate, recipient, settled, startSandbox, templateSend } from './sandbox.js';
import type { Server } from './server.js';
import { figureTable, type Figure } from './table.js';

const everyForm: DialectFile = {
  http: { created: 201 },
  errors: { shape: { status: 'error', error_code: '{code}', message: '{message}', errors: '{details?}' } },
  webhooks: {
    headers: { event: 'X-Event-Type', id: 'X-Event-Id', delivery: 'X-Event-Delivery', attempt: 'X-Event-Attempt' },
    shape: { event: '{type}', id: '{id}', ts: '{created_at:unix_ms}', payload: '{data}' },
  },
  events: {
    'message.status': {
      message: { id: '{message_id}', channel_id: '{wamid}', kind: '{type}' },
      ...{ recipient: '{to}', status: '{status}', error: '{error?}', changed_at: '{timestamp:unix_ms}' },
    },
  },
  shapes: {
    'message.error': { code: '{channel_code}', title: '{message}' },
    'ids.timestamp': 'YYYY-MM-DDTHH:mm:ss.ssssss+00:00',
  },
};

const amount = 500;

export async function dialects({ rounds }: Settings): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const file = join(folder, 'dialect.yaml');
  await writeFile(file, JSON.stringify(everyForm));
  try {
    return figureTable([await compared(rounds, file, false), await compared(rounds, file, true)]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param deliver whether the status reports go to the built-in receiver */
async function compared(rounds: number, file: string, deliver: boolean): Promise<Figure> {
  const [shaped, plain] = [await startSandbox('--dialect', file), await startSandbox()];
  try {
    for (const { url } of [shaped, plain]) {
      await approveTemplate(url);
      const endpoint = { url: 'https://sink.sandbox/bench', events: ['message.status'] };
      if (deliver) await call(`${url}/v1/webhooks`, 'POST', endpoint);
    }
    const [values, others]: [number[], number[]] = [[], []];
    // Many short rounds: the difference that is allowed is smaller than what the machine does in a long one.
    for (let round = -2; round < rounds * 12; round += 1)
      for (const server of round % 2 === 0 ? [shaped, plain] : [plain, shaped]) {
        const ms = await cpuOfThousand(server);
        if (round >= 0) (server === shaped ? values : others).push(ms);
      }
    return {
      what: `processor time of 1,000 sends${deliver ? ' and the deliveries of their status reports' : ''}, every form set`,
      unit: 'ms',
      values,
      against: { what: 'the default dialect', values: others },
      goal: { most: 1.03 },
    };
  } finally {
    await shaped.stop();
    await plain.stop();
  }
}

/** Returns milliseconds, with all that the sends cause. */
async function cpuOfThousand({ url, cpuMs }: Server): Promise<number> {
  const before = await cpuMs();
  await load({ url: `${url}/v1/messages`, body: templateSend(recipient(1)), amount, connections: 10 });
  await settled(url);
  return ((await cpuMs()) - before) / (amount / 1_000);
}
