/** Whether the sandbox slows down as it fills: a full one in turns with a nearly empty one, in memory and on disk. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { call, load, type Load, timed } from './load.js';
import type { Settings } from './settings.js';
import { approveTemplate, fill, recipient, settled, startSandbox, templateSend } from './sandbox.js';
import type { Server } from './server.js';
import { figureTable, type Figure } from './table.js';

/** The page that is asked for has 20 of these, among however many others. */
const needle = '+4915100000000';
/** The requests of one sample: enough for a second or so, which is more than one garbage collection. */
const amounts = { sends: 5_000, lookups: 20_000, 'filtered list': 1_000 };
type Kind = keyof typeof amounts;
/** Up to this number of messages, the rates must hold. */
const promised = 10_000;

export async function growth({ messages: most, rounds }: Settings): Promise<string> {
  const figures: Figure[] = [];
  for (const messages of [promised, most]) figures.push(...(await compared(messages, rounds)));
  return figureTable(figures);
}

async function compared(messages: number, rounds: number): Promise<Figure[]> {
  const [full, empty] = [await startSandbox(), await startSandbox()];
  try {
    await prepare(full, messages);
    await prepare(empty, 0);
    return await compare(full, empty, messages, rounds);
  } finally {
    await full.stop();
    await empty.stop();
  }
}

export async function growthOnDisk({ messages, rounds }: Settings): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'bench-'));
  const flags = ['--data', join(root, 'full')];
  let full = await startSandbox(...flags);
  const empty = await startSandbox('--data', join(root, 'empty'));
  try {
    const count = messages.toLocaleString('en');
    // A process loads its control plane soon after its start. Another row measures this.
    for (const server of [full, empty]) await prepare(server, 0);
    const longestMs = await longestWait(full, async () => {
      await fill(full.url, messages);
      await settled(full.url);
    });
    const sends = await compare(full, empty, messages, rounds, ['sends']);
    const startsMs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await full.stop();
      full = await startSandbox(...flags);
      startsMs.push(full.startMs);
    }
    return figureTable([
      {
        what: `from spawn to ready with ${count} messages on disk`,
        unit: 'ms',
        values: startsMs,
        goal: { most: 3_000, of: 'value' },
      },
      {
        what: `the longest of all calls while ${count} messages are sent in batches of 100`,
        unit: 'ms',
        values: [longestMs],
        goal: { most: 250, of: 'value' },
      },
      ...sends,
    ]);
  } finally {
    await Promise.all([full.stop(), empty.stop()]);
    await rm(root, { recursive: true, force: true });
  }
}

/** Makes a small call every 10 ms during `work`; returns the milliseconds of the slowest one. */
async function longestWait({ url }: Server, work: () => Promise<void>): Promise<number> {
  let isOver = false as boolean;
  let longestMs = 0;
  const probing = (async () => {
    while (!isOver) {
      longestMs = Math.max(longestMs, await timed(() => call(`${url}/v1/webhooks`)));
      await pause(10);
    }
  })();
  await work();
  isOver = true;
  await probing;
  return longestMs;
}

async function prepare({ url }: Server, messages: number): Promise<void> {
  await approveTemplate(url);
  for (let sent = 0; sent < 30; sent += 1) await call(`${url}/v1/messages`, 'POST', templateSend(needle));
  await fill(url, messages);
  await settled(url);
}

/** Measures both servers in turns, so that what the machine does meanwhile affects both. */
async function compare(
  full: Server,
  empty: Server,
  messages: number,
  rounds: number,
  kinds = Object.keys(amounts) as Kind[],
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const kind of kinds) {
    const [rates, others]: [number[], number[]] = [[], []];
    for (let round = -1; round < rounds; round += 1) {
      for (const server of round % 2 === 0 ? [full, empty] : [empty, full]) {
        const { rate } = await sample(server, kind);
        if (round >= 0) (server === full ? rates : others).push(rate);
      }
    }
    figures.push({
      what: `${kind} at ${messages.toLocaleString('en')} messages`,
      unit: '/s',
      values: rates,
      against: { what: 'nearly empty', values: others },
      ...(messages <= promised && { goal: { least: 0.8 } }),
    });
  }
  return figures;
}

/** Afterwards all status reports have been made. */
async function sample({ url }: Server, kind: Kind) {
  const measured = await load({ ...(await requestOf(url, kind)), amount: amounts[kind] });
  if (kind === 'sends') await settled(url);
  return measured;
}

async function requestOf(url: string, kind: Kind): Promise<Load> {
  if (kind === 'sends') return { url: `${url}/v1/messages`, body: templateSend(recipient(1)) };
  const list = `${url}/_sandbox/messages?to=${encodeURIComponent(needle)}&status=read&limit=20`;
  if (kind === 'filtered list') return { url: list, method: 'GET' };
  const { items } = await call<{ items: { message_id: string }[] }>(list);
  return { url: `${url}/v1/messages/${items[0]?.message_id ?? ''}`, method: 'GET' };
}
