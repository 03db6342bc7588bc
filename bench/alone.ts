/** Measures the sandbox alone: deliveries, moves of the clock, sandboxes in a test process. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../src/beside/reach.js';
import { call, timed } from './load.js';
import type { Settings } from './settings.js';
import { approveTemplate, builtFolder, fill, serverNode, startSandbox } from './sandbox.js';
import { startServer } from './server.js';
import { figureTable, type Figure } from './table.js';

/** A minimal receiver, because it shares the machine with the sandbox. */
const receiver = `
  import { createServer } from 'node:http';
  createServer((request, response) => request.resume().on('end', () => response.end('ok'))).listen(Number(process.argv[1]), '127.0.0.1');
`;

export async function deliveries({ rounds }: Settings): Promise<string> {
  const messages = 2_000;
  const port = await freePort();
  const args = ['--input-type=module', '-e', receiver, `${port}`];
  const listening = await startServer({ file: serverNode.path, args }, port, '/');
  const { url, stop } = await startSandbox('--clock', 'frozen');
  try {
    await approveTemplate(url);
    const endpoint = { url: `https://127.0.0.1:${port}/hook`, events: ['message.status'] };
    await call(`${url}/v1/webhooks`, 'POST', endpoint);
    const rates: number[] = [];
    for (let round = -1; round < rounds; round += 1) {
      await fill(url, messages);
      await call(`${url}/_sandbox/idle?timeout=60s`, 'POST');
      let made = 0;
      const tookMs = await timed(async () => {
        const moved = await call<{ deliveries: number }>(`${url}/_sandbox/clock/advance`, 'POST', { by: '1h' });
        made = moved.deliveries;
      });
      if (made !== 2 * messages) throw new Error(`${made} deliveries were made, not ${2 * messages}`);
      if (round >= 0) rates.push((made * 1_000) / tookMs);
    }
    const what = 'signed and recorded deliveries to one endpoint';
    return figureTable([{ what, unit: '/s', values: rates, goal: { least: 5_000, of: 'value' } }]);
  } finally {
    await stop();
    await listening.stop();
  }
}

/** Each message has two pending jobs. Fifty groups, 5 ms apart, make a hundred instants with due jobs. */
export async function advance({ rounds }: Settings): Promise<string> {
  const jobs = 10_000;
  const { url, stop } = await startSandbox('--clock', 'frozen');
  try {
    await approveTemplate(url);
    const values: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (let group = 0; group < 50; group += 1) {
        await fill(url, jobs / 100);
        await call(`${url}/_sandbox/clock/advance`, 'POST', { by: '5ms' });
      }
      values.push(await timed(() => call(`${url}/_sandbox/clock/advance`, 'POST', { by: '24h' })));
    }
    const what = `advance 24h over ${jobs.toLocaleString('en')} pending jobs`;
    return figureTable([{ what, unit: 'ms', values, goal: { most: 1_000, of: 'value' } }]);
  } finally {
    await stop();
  }
}

/** A separate process for each round: otherwise, the sandbox would not be the first in its process. */
const program = `
  const from = performance.now();
  const { createSandbox } = await import(process.argv[1]);
  const imported = performance.now();
  const first = await createSandbox();
  const firstReady = performance.now();
  const further = await createSandbox();
  const furtherReady = performance.now();
  await Promise.all([first.close(), further.close()]);
  console.log(JSON.stringify([imported - from, firstReady - imported, furtherReady - firstReady]));
`;

export async function inProcess({ rounds }: Settings): Promise<string> {
  const library = pathToFileURL(join(await builtFolder(), 'index.js')).href;
  const taken: number[][] = [];
  for (let round = -1; round < rounds * 2; round += 1) {
    const { stdout } = await promisify(execFile)(serverNode.path, ['--input-type=module', '-e', program, library]);
    if (round >= 0) taken.push(JSON.parse(stdout) as number[]);
  }
  const figure = (what: string, part: number, most?: number): Figure => ({
    what,
    unit: 'ms',
    values: taken.map((times) => times[part] ?? Number.NaN),
    ...(most !== undefined && { goal: { most, of: 'value' } }),
  });
  return figureTable([
    figure('import of the package', 0),
    figure('first `createSandbox()` of a process', 1, 250),
    figure('every further one', 2, 5),
  ]);
}
