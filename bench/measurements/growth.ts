/** What grows with what is stored, and should not (contract §7): measured on the way from nothing to a million messages. */
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from '../support/figure.js';
import { approveTemplate, fill, settled } from '../support/messages.js';
import { startProbedSandbox, type ProbedServer } from '../support/probed.js';
import { pause } from '../support/process.js';
import { startSandboxProcess, type Server } from '../support/servers.js';
import type { Settings } from '../support/settings.js';
import { whole } from '../support/stats.js';
import { prepareSamples, questions, sample, sampleFigures, type Sample } from './growth/sample.js';

/** Where on the way it is looked at, as shares of the whole. */
const steps = [0.1, 0.5, 1];
/** Messages between two looks at the event loop. */
const stretch = 100;
/** So many stretches are filled while a checkpoint is written; the rest of it is watched with nothing else going on. */
const besideCheckpoint = 5;
/** Milliseconds. */
const lookAgainMs = 5;
/** A million takes seconds to be read, and is read alike each time. */
const mostStarts = 3;

export async function growth(settings: Settings): Promise<Figure[]> {
  const server = await startProbedSandbox();
  try {
    return await grow(server, settings, () => startSandboxProcess(), null);
  } finally {
    await server.stop();
  }
}

export async function growthOnDisk(settings: Settings): Promise<Figure[]> {
  const root = await mkdtemp(join(tmpdir(), 'bench-data-'));
  const full = join(root, 'full');
  let few = 0;
  let server = await startProbedSandbox('--data', full);
  try {
    const startEmpty = () => startSandboxProcess('--data', join(root, `few-${(few += 1)}`));
    const figures = await grow(server, settings, startEmpty, full);
    const startsMs: number[] = [];
    for (let start = 0; start < Math.min(settings.rounds, mostStarts); start += 1) {
      await server.stop();
      server = await startProbedSandbox('--data', full);
      startsMs.push(server.startMs);
    }
    const what = `spawn to ready with all ${whole(settings.messages)} on disk`;
    return [...figures, { what, unit: 'ms', values: startsMs, goal: { of: 'value', most: 5_000 } }];
  } finally {
    await server.stop();
    await rm(root, { recursive: true, force: true });
  }
}

/** @param dir where the server keeps its data, if it does */
async function grow(
  server: ProbedServer,
  { messages, rounds }: Settings,
  startEmpty: () => Promise<Server>,
  dir: string | null,
): Promise<Figure[]> {
  await approveTemplate(server.url);
  await prepareSamples(server);
  const figures: Figure[] = [];
  const delays: Delays = { besideCheckpoints: [], atCheckpoints: [], else: [] };
  let stored = 0;
  for (const step of steps) {
    const target = Math.round((messages * step) / stretch) * stretch;
    await server.longestDelay();
    for (; stored < target; stored += stretch) await lookWhileFilling(server, stored, dir, delays);
    await settled(server.url);
    figures.push(...(await beside(server, await startEmpty(), rounds, whole(stored))));
  }
  return [...figures, ...delayFigures(delays, dir)];
}

/** Both servers in turns, so that what the machine does meanwhile comes upon both. */
async function beside(server: Server, empty: Server, rounds: number, stored: string): Promise<Figure[]> {
  try {
    await approveTemplate(empty.url);
    await prepareSamples(empty);
    const [askedFull, askedEmpty] = [await questions(server.url), await questions(empty.url)];
    const samples: { full: Sample; empty: Sample }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      samples.push({ full: await sample(server, askedFull), empty: await sample(empty, askedEmpty) });
    }
    const title = `at ${stored}`;
    return sampleFigures(
      title,
      samples.map(({ full }) => full),
      samples.map((each) => each.empty),
    );
  } finally {
    await empty.stop();
  }
}

/** The longest turns of the event loop in milliseconds, one for each stretch of messages, or of a checkpoint. */
interface Delays {
  /** While a checkpoint was written and messages were sent. */
  readonly besideCheckpoints: number[];
  /** While a checkpoint was written, and nothing else happened. */
  readonly atCheckpoints: number[];
  readonly else: number[];
}

async function lookWhileFilling(
  server: ProbedServer,
  first: number,
  dir: string | null,
  delays: Delays,
): Promise<void> {
  const before = isWriting(dir);
  await fill(server.url, stretch, first);
  const longest = await server.longestDelay();
  const writing = before || isWriting(dir);
  (writing ? delays.besideCheckpoints : delays.else).push(longest);
  if (writing && delays.besideCheckpoints.length % besideCheckpoint === 0) await lookAtCheckpoint(server, dir, delays);
}

/** What became of the messages before is over first. */
async function lookAtCheckpoint(server: ProbedServer, dir: string | null, delays: Delays): Promise<void> {
  await settled(server.url);
  await server.longestDelay();
  if (!isWriting(dir)) return;
  while (isWriting(dir)) await pause(lookAgainMs);
  delays.atCheckpoints.push(await server.longestDelay());
}

/** Whether a checkpoint is under way: it has a name of its own until it is whole. */
function isWriting(dir: string | null): boolean {
  return dir !== null && readdirSync(dir).some((name) => name.endsWith('.json.tmp'));
}

function delayFigures({ besideCheckpoints, atCheckpoints, else: others }: Delays, dir: string | null): Figure[] {
  const most = { of: 'value', most: 20 } as const;
  const longest = (what: string, values: readonly number[], goal?: Figure['goal']): Figure[] =>
    values.length === 0 ? [] : [{ what, unit: 'ms', values: [Math.max(...values)], ...(goal && { goal }) }];
  const turn = 'longest turn of the event loop';
  if (dir === null) return longest(`${turn} under batches of 100`, others);
  return [
    ...longest(`${turn} while a checkpoint is written`, atCheckpoints, most),
    ...longest(`${turn} under batches of 100 at the same time`, besideCheckpoints),
    ...longest(`${turn} under batches of 100 alone`, others),
  ];
}
