/** Compares sends and lookups with other servers, what each server rejects, and how soon each is ready. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { call, load } from './load.js';
import { availablePeers, echo, ours, startPeer, writeDocument, type Peer } from './peers.js';
import type { Settings } from './run.js';
import { hundred, recipient, serverNode, templateSend } from './sandbox.js';
import type { Server } from './server.js';
import { figureTable, median, ratiosOf, shown, spread, table, type Figure } from './table.js';

/** Status reports of a message come up to a second after its send; they must not run during another server's turn. */
const restMs = 1_200;
const one = templateSend(recipient(1));

interface Turns {
  readonly peer: Peer;
  readonly server: Server;
  readonly sends: number[];
  readonly p50Ms: number[];
  readonly p99Ms: number[];
  readonly lookups: number[];
  readonly aloneMs: number[];
  readonly batchMs: number[];
}

export async function underLoad(settings: Settings): Promise<string> {
  return withFolder(async (root) => {
    const all: Turns[] = [];
    try {
      for (const peer of availablePeers()) {
        const server = await startPeer(peer, root);
        all.push({ peer, server, sends: [], p50Ms: [], p99Ms: [], lookups: [], aloneMs: [], batchMs: [] });
        await peer.prepare?.(server.url);
        await load({ url: `${server.url}/v1/messages`, body: one, seconds: settings.seconds, connections: 50 });
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

async function turn({ server: { url }, ...values }: Turns, seconds: number): Promise<void> {
  const messages = `${url}/v1/messages`;
  const sends = await load({ url: messages, body: one, seconds, connections: 50 });
  values.sends.push(sends.rate);
  values.p50Ms.push(sends.p50Ms);
  values.p99Ms.push(sends.p99Ms);
  await pause(restMs);
  const { message_id: sent, id } = await call<{ message_id?: string; id?: number }>(messages, 'POST', one);
  const lookup = { url: `${messages}/${sent ?? id ?? 'any'}`, method: 'GET', connections: 50 } as const;
  values.lookups.push((await load({ ...lookup, seconds })).rate);
  values.aloneMs.push((await load({ url: messages, body: one, amount: 500, connections: 1 })).p50Ms);
  await pause(restMs);
  values.batchMs.push((await load({ url: messages, body: hundred, amount: 100, connections: 1 })).p50Ms);
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
  const express = all.find(({ peer }) => peer === echo);
  if (us === undefined || express === undefined) return [];
  // Express itself is more than twice as fast on Node 24 as on Node 20.
  const least = serverNode.major >= 24 ? 0.8 : 1.5;
  const against = (values: number[]) => ({ what: echo.name, values });
  const mocks = all.filter(({ peer }) => peer.isMock && peer.judgesBody);
  const [fastest] = mocks.sort((a, b) => median(b.sends) - median(a.sends));
  return [
    { what: 'sends', unit: '/s', values: us.sends, against: against(express.sends), goal: { least } },
    { what: 'p99 of sends', unit: 'ms', values: us.p99Ms, against: against(express.p99Ms), goal: { most: 3 } },
    { what: 'lookups', unit: '/s', values: us.lookups, against: against(express.lookups), goal: { least } },
    ...(fastest === undefined
      ? []
      : [
          {
            what: 'sends, beside the fastest mock that judges the body',
            unit: '/s' as const,
            values: us.sends,
            against: { what: fastest.peer.name, values: fastest.sends },
            goal: { least: 2 },
          },
        ]),
    {
      what: 'a batch of 100, alone on one connection',
      unit: 'ms',
      values: us.batchMs,
      against: { what: 'one send', values: us.aloneMs },
      goal: { most: 12 },
    },
  ];
}

function rateTable(all: readonly Turns[]): string {
  const express = all.find(({ peer }) => peer === echo);
  const beside = (values: readonly number[], others: readonly number[] = []) => spread(ratiosOf(values, others));
  return table(
    ['Server', 'Sends', '× Express', 'p50', 'p99', 'Lookups', '× Express'],
    all.map(({ peer, sends, p50Ms, p99Ms, lookups }) => [
      peer.name,
      shown(median(sends), '/s'),
      beside(sends, express?.sends),
      shown(median(p50Ms), 'ms'),
      shown(median(p99Ms), 'ms'),
      shown(median(lookups), '/s'),
      beside(lookups, express?.lookups),
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
      ...(peer === ours && { goal: { most: 1.3 } }),
    }));
    return figureTable(figures);
  });
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
