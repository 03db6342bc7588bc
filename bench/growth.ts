/** Whether the sandbox slows down as it fills: a full one in turns with a nearly empty one, in memory and on disk. */
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { call, load, type Load } from './load.js';
import type { Settings } from './run.js';
import { approveTemplate, fill, recipient, settled, startSandbox, templateSend } from './sandbox.js';
import type { Server } from './server.js';
import { figureTable, percentile, type Figure } from './table.js';

/** The page that is asked for has 20 of these, among however many others. */
const needle = '+4915100000000';
/** The requests of one sample: enough for a second or so, which is more than one garbage collection. */
const amounts = { sends: 5_000, lookups: 20_000, 'filtered list': 5_000 };
type Kind = keyof typeof amounts;
const kinds = Object.keys(amounts) as Kind[];

export async function growth(settings: Settings): Promise<string> {
  const [full, empty] = [await startSandbox(), await startSandbox()];
  try {
    await prepare(full, settings.messages);
    await prepare(empty, 0);
    return figureTable(await compare(full, empty, settings));
  } finally {
    await full.stop();
    await empty.stop();
  }
}

export async function growthOnDisk(settings: Settings): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'bench-'));
  const [data, others] = [join(root, 'full'), join(root, 'empty')];
  const flags = ['--data', data];
  let full = await startSandbox(...flags);
  const empty = await startSandbox('--data', others);
  try {
    await prepare(full, settings.messages);
    await prepare(empty, 0);
    const startsMs: number[] = [];
    for (let round = 0; round < settings.rounds; round += 1) {
      await full.stop();
      full = await startSandbox(...flags);
      startsMs.push(full.startMs);
    }
    const what = 'from spawn to ready with all of them on disk';
    const start: Figure = { what, unit: 'ms', values: startsMs, goal: { most: 2_000, of: 'value' } };
    const beside = await compare(full, empty, settings);
    return figureTable([start, ...beside, ...(await whileWriting(full, data))]);
  } finally {
    await full.stop();
    await empty.stop();
    await rm(root, { recursive: true, force: true });
  }
}

async function prepare({ url }: Server, messages: number): Promise<void> {
  await approveTemplate(url);
  for (let sent = 0; sent < 30; sent += 1) await call(`${url}/v1/messages`, 'POST', templateSend(needle));
  await fill(url, messages);
  await settled(url);
}

/** Measures both servers in turns, so that what the machine does meanwhile affects both. */
async function compare(full: Server, empty: Server, { messages, rounds }: Settings): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const kind of kinds) {
    const values = { rate: [] as number[], p99: [] as number[], emptyRate: [] as number[], emptyP99: [] as number[] };
    for (let round = -1; round < rounds; round += 1) {
      for (const server of round % 2 === 0 ? [full, empty] : [empty, full]) {
        const { rate, p99Ms } = await sample(server, kind);
        if (round < 0) continue;
        (server === full ? values.rate : values.emptyRate).push(rate);
        (server === full ? values.p99 : values.emptyP99).push(p99Ms);
      }
    }
    figures.push(...pair(kind, `at ${messages.toLocaleString('en')} messages`, 'nearly empty', values));
  }
  return figures;
}

interface Values {
  readonly rate: readonly number[];
  readonly p99: readonly number[];
  readonly emptyRate: readonly number[];
  readonly emptyP99: readonly number[];
}

function pair(kind: Kind, when: string, what: string, { rate, p99, emptyRate, emptyP99 }: Values): Figure[] {
  return [
    { what: `${kind} ${when}`, unit: '/s', values: rate, against: { what, values: emptyRate }, goal: { least: 0.8 } },
    {
      what: `p99 of ${kind} ${when}`,
      unit: 'ms',
      values: p99,
      against: { what, values: emptyP99 },
      goal: { most: 1.2 },
    },
  ];
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

/**
 * Measures the kinds in stretches of a second, in turns, while two checkpoints are written, and as often when none is.
 * Each checkpoint waits for a log twice as long as the last one, so more of them would take too much. The clock stands
 * still, so that status reports of the messages that fill the log do not run meanwhile.
 */
async function whileWriting({ url }: Server, folder: string): Promise<Figure[]> {
  const isWriting = () => readdirSync(folder).some((name) => name.endsWith('.json.tmp'));
  await call(`${url}/_sandbox/clock`, 'PUT', { mode: 'frozen' });
  const found = [];
  for (const kind of kinds) {
    found.push({ kind, request: await requestOf(url, kind), during: noStretches(), quiet: noStretches() });
  }
  let [sent, turns] = [1_000_000, 0];
  for (let checkpoint = 0; checkpoint < 2; checkpoint += 1) {
    while (!isWriting()) await fill(url, 100, (sent += 100));
    for (; isWriting(); turns += 1) for (const { request, during } of found) await stretch(request, during);
  }
  for (; turns > 0; turns -= 1) {
    while (isWriting()) await pause(50);
    for (const { request, quiet } of found) await stretch(request, quiet);
  }
  return found.flatMap(({ kind, during, quiet }) => {
    const [{ rate, p99 }, { rate: emptyRate, p99: emptyP99 }] = [summary(during), summary(quiet)];
    return pair(kind, 'while a checkpoint is written', 'no checkpoint', { rate, p99, emptyRate, emptyP99 });
  });
}

async function stretch(request: Load, found: Stretches): Promise<void> {
  const { rate, latenciesMs } = await load({ ...request, seconds: 1 });
  found.seconds += latenciesMs.length / rate;
  found.latenciesMs.push(...latenciesMs);
}

interface Stretches {
  seconds: number;
  readonly latenciesMs: number[];
}

const noStretches = (): Stretches => ({ seconds: 0, latenciesMs: [] });

const summary = ({ seconds, latenciesMs }: Stretches) => ({
  rate: [latenciesMs.length / seconds],
  p99: [percentile(latenciesMs, 99)],
});
