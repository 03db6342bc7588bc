/** Compares sends with other servers, what each server rejects, and how soon each is ready. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { call, load, timed } from './load.js';
import {
  availablePeers,
  echo,
  ours,
  prism,
  schemaStubs,
  startPeer,
  validated,
  writeDocument,
  type Peer,
} from './peers.js';
import type { Settings } from './settings.js';
import { hundred, recipient, startSandbox, templateSend } from './sandbox.js';
import type { Server } from './server.js';
import { figureTable, median, shown, table, type Figure } from './table.js';

/** Status reports of a message come up to a second after its send; they must not run during another server's turn. */
const restMs = 1_200;
const one = templateSend(recipient(1));

interface Turns {
  readonly peer: Peer;
  readonly server: Server;
  readonly sends: number[];
  /** Processor milliseconds of a thousand sends, with all that they cause. Only of servers that run on Node. */
  readonly cpuMs: number[];
  readonly p50Ms: number[];
  readonly p99Ms: number[];
  readonly aloneMs: number[];
  readonly batchMs: number[];
}

export async function underLoad(settings: Settings): Promise<string> {
  return withFolder(async (root) => {
    const all: Turns[] = [];
    try {
      for (const peer of availablePeers()) {
        const server = await startPeer(peer, root);
        all.push({ peer, server, sends: [], cpuMs: [], p50Ms: [], p99Ms: [], aloneMs: [], batchMs: [] });
        await peer.prepare?.(server.url);
        await load({ url: `${server.url}/v1/messages`, body: one, seconds: settings.seconds, connections: 50 });
        await pause(restMs);
      }
      const rejections = [];
      for (const { peer, server } of all) rejections.push([peer.name, ...(await rejectionsOf(server.url)), peer.does]);
      for (let round = 0; round < settings.rounds; round += 1) {
        for (const turns of round % 2 === 0 ? all : [...all].reverse()) await turn(turns, settings.seconds);
      }
      const asked = ['Server', 'Without a key', '`to` a number', 'Without `template`', 'What it does'];
      return [figureTable(goals(all)), rateTable(all), table(asked, rejections)].join('\n\n');
    } finally {
      for (const { server } of all) await server.stop();
    }
  });
}

async function turn({ peer, server, ...values }: Turns, seconds: number): Promise<void> {
  const url = `${server.url}/v1/messages`;
  const before = peer === schemaStubs ? Number.NaN : await server.cpuMs();
  const sends = await load({ url, body: one, seconds, connections: 50 });
  values.sends.push(sends.rate);
  values.p50Ms.push(sends.p50Ms);
  values.p99Ms.push(sends.p99Ms);
  await pause(restMs);
  if (peer !== schemaStubs) values.cpuMs.push(((await server.cpuMs()) - before) / (sends.latenciesMs.length / 1_000));
  values.aloneMs.push((await load({ url, body: one, amount: 500, connections: 1 })).p50Ms);
  await pause(restMs);
  values.batchMs.push((await load({ url, body: hundred, amount: 100, connections: 1 })).p50Ms);
  await pause(restMs);
}

/** Returns the status of each response to three requests that are invalid according to the document. */
async function rejectionsOf(url: string): Promise<string[]> {
  const key = { authorization: 'Bearer bench' };
  const asked = [
    { headers: {}, body: one },
    { headers: key, body: { ...one, to: 5 } },
    { headers: key, body: { ...one, template: undefined } },
  ];
  const statuses: string[] = [];
  for (const { headers, body } of asked) {
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
    const response = await fetch(`${url}/v1/messages`, { ...init, body: JSON.stringify(body) });
    await response.arrayBuffer();
    statuses.push(`${response.status}`);
  }
  return statuses;
}

function goals(all: readonly Turns[]): Figure[] {
  const us = all.find(({ peer }) => peer === ours);
  if (us === undefined) return [];
  const against = (other: Peer, read: (turns: Turns) => number[]) => {
    const turns = all.find(({ peer }) => peer === other);
    return { what: other.name, values: turns === undefined ? [] : read(turns) };
  };
  const rate = (other: Peer, least: number): Figure => ({
    what: 'sends',
    unit: '/s',
    values: us.sends,
    against: against(other, ({ sends }) => sends),
    goal: { least },
  });
  return [
    {
      what: 'processor time of 1,000 sends, with all that they cause',
      unit: 'ms',
      values: us.cpuMs,
      against: against(validated, ({ cpuMs }) => cpuMs),
      goal: { most: 1 },
    },
    rate(prism, 1.8),
    rate(schemaStubs, 2.5),
    {
      what: 'a batch of 100, alone on one connection',
      unit: 'ms',
      values: us.batchMs,
      against: { what: 'one send', values: us.aloneMs },
    },
  ];
}

function rateTable(all: readonly Turns[]): string {
  return table(
    ['Server', 'Sends', 'Processor time of 1,000', 'p50', 'p99'],
    all.map(({ peer, sends, cpuMs, p50Ms, p99Ms }) => [
      peer.name,
      shown(median(sends), '/s'),
      cpuMs.length === 0 ? '–' : shown(median(cpuMs), 'ms'),
      shown(median(p50Ms), 'ms'),
      shown(median(p99Ms), 'ms'),
    ]),
  );
}

/** Measures from the start of each server to its first 2xx. The first start of each fills caches and is not counted. */
export async function ready({ rounds }: Settings): Promise<string> {
  return withFolder(async (root) => {
    const all = availablePeers().map((peer) => ({ peer, startsMs: [] as number[] }));
    for (let round = -1; round < rounds * 2; round += 1) {
      for (const { peer, startsMs } of round % 2 === 0 ? all : [...all].reverse()) {
        const server = await startPeer(peer, root);
        await server.stop();
        if (round >= 0) startsMs.push(server.startMs);
      }
    }
    const values = all.find(({ peer }) => peer === echo)?.startsMs ?? [];
    const figures = all.map(({ peer, startsMs }): Figure => ({
      what: peer.name,
      unit: 'ms',
      values: startsMs,
      against: { what: echo.name, values },
      ...(peer === ours && { goal: { most: 1.6 } }),
    }));
    return figureTable([...figures, ...(await firstCalls(rounds))]);
  });
}

/** Measures a process a second after its start, when a test makes its first call, or a person the first mistake. */
async function firstCalls(rounds: number): Promise<Figure[]> {
  const [control, first, second]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const { url, stop } = await startSandbox();
    await pause(1_000);
    await call(`${url}/v1/templates`);
    control.push(await timed(() => call(`${url}/_sandbox/clock`)));
    const rejected = () => timed(() => call(`${url}/v1/messages`, 'POST', { to: 5 }).catch(() => undefined));
    first.push(await rejected());
    second.push(await rejected());
    await stop();
  }
  const against = { what: 'the second', values: second };
  return [
    { what: 'the first call of the control plane', unit: 'ms', values: control, goal: { most: 30, of: 'value' } },
    { what: 'the first rejected call of a process', unit: 'ms', values: first, against, goal: { most: 3 } },
  ];
}

async function withFolder(work: (root: string) => Promise<string>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    await writeDocument(root);
    return await work(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
