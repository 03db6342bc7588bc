/** From spawning each server to its first answers and to those of a whole run of tests, and what it then holds in memory. */
import { choosePeers, openStage, versionOfPeer, type Left } from '../peers/running.js';
import type { Peer } from '../peers/peer.js';
import { machineTime } from '../../src/time/system-clock.js';
import { call, load } from '../support/load.js';
import { pause } from '../support/process.js';
import type { Settings } from '../support/settings.js';

export interface StartFigures {
  /** Machine milliseconds from spawn to the first 2xx of any kind. */
  readonly readyMs: number[];
  /** Machine milliseconds from spawn to the first accepted send. */
  readonly firstAnswerMs: number[];
  /** Machine milliseconds from spawn until `suiteSends` sends were accepted, all pauses between left out. */
  readonly suiteMs: number[];
  /** Resident megabytes a second after the first accepted send; null where the system does not tell. */
  readonly idleMb: (number | null)[];
}

interface StartedServer {
  readonly name: string;
  readonly version: string;
  readonly figures: StartFigures;
}

export interface StartResults {
  readonly kind: 'start';
  readonly servers: readonly StartedServer[];
  readonly left: readonly Left[];
}

/** A customer whose window is open from the start, so that ours accepts without any call before. */
const firstSend = { to: '+12025550150', type: 'text', text: 'Hello' };

/** What a run of tests may send: each run has a fresh server, and no time to warm it. */
export const suiteSends = 2_000;

export async function peersStart({ rounds, only }: Settings): Promise<StartResults> {
  const { chosen, left } = choosePeers(only);
  return { kind: 'start', servers: await measureStart(chosen, rounds), left };
}

export async function measureStart(peers: readonly Peer[], rounds: number): Promise<StartedServer[]> {
  const stage = await openStage();
  try {
    const runs = peers.map((peer) => ({ peer, figures: noFigures() }));
    // The first start fills the caches of the disk and of V8, for all alike, and is not counted.
    for (let round = -1; round < rounds; round += 1) {
      if (round >= 0) console.error(`  round ${round + 1} of ${rounds}`);
      for (const { peer, figures } of round % 2 === 0 ? runs : [...runs].reverse()) {
        const spawnedMs = machineTime.monotonic();
        const server = await stage.start(peer);
        await call(`${server.url}/v1/messages`, 'POST', firstSend);
        const firstAnswerMs = machineTime.monotonic() - spawnedMs;
        await pause(1_000);
        const idleMb = server.rssMb();
        const suite = await load({ url: `${server.url}/v1/messages`, body: firstSend, amount: suiteSends - 1 });
        await server.stop();
        if (round < 0) continue;
        figures.readyMs.push(server.startMs);
        figures.firstAnswerMs.push(firstAnswerMs);
        figures.suiteMs.push(firstAnswerMs + (suite.count / suite.rate) * 1_000);
        figures.idleMb.push(idleMb);
      }
    }
    return runs.map(({ peer, figures }) => ({ name: peer.name, version: versionOfPeer(peer), figures }));
  } finally {
    await stage.close();
  }
}

function noFigures(): StartFigures {
  return { readyMs: [], firstAnswerMs: [], suiteMs: [], idleMb: [] };
}
