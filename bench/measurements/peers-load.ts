/** The same requests to every server in turn: a send, a look-up, a batch of 100. */
import { openStage, choosePeers, versionOfPeer, type Left } from '../peers/running.js';
import { someMessageId, type Peer } from '../peers/peer.js';
import { call, load, type Load, type Measured } from '../support/load.js';
import { recipient, templateSend } from '../support/messages.js';
import { pause, type Server } from '../support/process.js';
import { refusalsOf, type Refusals } from '../support/refusals.js';
import type { Settings } from '../support/settings.js';

/** One list per figure, one value per round; null where the system does not tell. */
export interface LoadFigures {
  readonly sendRate: number[];
  readonly sendP50Ms: number[];
  readonly sendP99Ms: number[];
  /** Processor microseconds of the server per send, what it does in the second after included. */
  readonly sendCpuUs: (number | null)[];
  readonly lookupRate: number[];
  readonly batchRate: number[];
  /** Until the answer is there, where nobody else asks. */
  readonly sendAloneMs: number[];
  readonly batchAloneMs: number[];
  /** Share of the time that the load generator itself was busy during the sends. */
  readonly generatorShare: number[];
}

interface LoadedServer {
  readonly name: string;
  readonly version: string;
  readonly figures: LoadFigures;
  readonly refusals: Refusals;
}

export interface LoadResults {
  readonly kind: 'load';
  readonly servers: readonly LoadedServer[];
  readonly left: readonly Left[];
}

/** What a server goes on doing after its answer (our messages are read a second later) must not fall into another's turn. */
const restMs = 1_200;

export async function peersUnderLoad(settings: Settings): Promise<LoadResults> {
  const { chosen, left } = choosePeers(settings.only);
  return { kind: 'load', servers: await measureLoad(chosen, settings), left };
}

/** All of them side by side. @throws Error when one does not start, or answers anything but 2xx */
export async function measureLoad(peers: readonly Peer[], settings: Settings): Promise<LoadedServer[]> {
  const stage = await openStage();
  try {
    const runs: Run[] = [];
    for (const peer of peers) {
      const server = await stage.start(peer);
      await peer.prepare?.(server.url);
      const refusals = await refusalsOf(server.url, send);
      const lookup = `/v1/messages/${await sentId(server.url)}`;
      const started = { peer, server, lookup, refusals, figures: noFigures() };
      runs.push(started);
      // Warms up; the first run is nobody's best.
      await turn(started, { path: '/v1/messages', body: send }, settings);
    }
    for (let round = 0; round < settings.rounds; round += 1) {
      console.error(`  round ${round + 1} of ${settings.rounds}`);
      // Every other round goes backwards, so that nobody always comes after the same one.
      for (const each of round % 2 === 0 ? runs : [...runs].reverse()) {
        const { lookup, figures } = each;
        const sends = await turn(each, { path: '/v1/messages', body: send }, settings);
        figures.sendRate.push(sends.rate);
        figures.sendP50Ms.push(sends.p50Ms);
        figures.sendP99Ms.push(sends.p99Ms);
        figures.sendCpuUs.push(sends.cpuUs);
        figures.generatorShare.push(sends.generatorShare);
        figures.lookupRate.push((await turn(each, { path: lookup, method: 'GET' }, settings)).rate);
        figures.batchRate.push((await turn(each, { path: '/v1/messages', body: batch }, settings)).rate);
        figures.sendAloneMs.push(await alone(each, send));
        figures.batchAloneMs.push(await alone(each, batch));
      }
    }
    return runs.map(({ peer, figures, refusals }) => ({
      name: peer.name,
      version: versionOfPeer(peer),
      figures,
      refusals,
    }));
  } finally {
    await stage.close();
  }
}

interface Run {
  readonly peer: Peer;
  readonly server: Server;
  /** Path of a message that it has. */
  readonly lookup: string;
  readonly refusals: Refusals;
  readonly figures: LoadFigures;
}

const send = templateSend(recipient(1));
const batch = templateSend(Array.from({ length: 100 }, (_, n) => recipient(n)));

function noFigures(): LoadFigures {
  return {
    sendRate: [],
    sendP50Ms: [],
    sendP99Ms: [],
    sendCpuUs: [],
    lookupRate: [],
    batchRate: [],
    sendAloneMs: [],
    batchAloneMs: [],
    generatorShare: [],
  };
}

async function turn(
  { peer, server }: Run,
  { path, ...what }: Pick<Load, 'method' | 'body'> & { path: string },
  { seconds, connections }: Settings,
): Promise<Measured & { cpuUs: number | null }> {
  const before = server.cpuMs();
  const measured = await load({ url: server.url + path, ...what, seconds, connections });
  await pause(restMs);
  await peer.settle?.(server.url);
  const after = server.cpuMs();
  const cpuUs = before === null || after === null ? null : ((after - before) * 1_000) / measured.count;
  return { ...measured, cpuUs };
}

/** Milliseconds that half of the answers take at most, one after another on one connection. */
async function alone({ peer, server }: Run, body: object): Promise<number> {
  const { p50Ms } = await load({ url: `${server.url}/v1/messages`, body, amount: 100, connections: 1 });
  await pause(restMs);
  await peer.settle?.(server.url);
  return p50Ms;
}

/** The id of a message that the server has, or says to have: `id` is json-server's word. */
async function sentId(url: string): Promise<string> {
  const answer = await call<{ message_id?: unknown; id?: unknown }>(`${url}/v1/messages`, 'POST', send);
  const id = answer.message_id ?? answer.id;
  // Mockoon answers an empty text, an echo none at all; both answer to any id.
  return typeof id === 'number' || (typeof id === 'string' && id !== '') ? `${id}` : someMessageId;
}
