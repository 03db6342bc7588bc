import { createSandbox } from '../client/create-sandbox.js';
import type { Capture } from './capture.js';
import { type Difference, differencesIn } from './differences.js';
import { learn, type Learnt } from './learn.js';
import { play, type Played } from './play.js';
import { verifySignature } from '../webhooks/sign.js';

async function played(capture: Capture, dialect?: string): Promise<Played> {
  const times = [...capture.calls, ...capture.events].flatMap(({ atMs }) => (atMs === null ? [] : [atMs]));
  const start = new Date(Math.min(...times, ...(times.length === 0 ? [Date.UTC(2026, 0)] : []))).toISOString();
  const sandbox = await createSandbox({
    ...{ clock: `frozen:${start}`, key: 'parity', logLevel: 'error' },
    ...(dialect !== undefined && { dialect }),
  });
  try {
    return await play(capture, sandbox);
  } finally {
    await sandbox.close();
  }
}

export async function learnFrom(capture: Capture): Promise<Learnt> {
  return learn(await played(capture));
}

export interface Comparison {
  readonly compared: number;
  readonly differences: readonly Difference[];
  readonly skipped: Played['skipped'];
}

export async function compareWith(capture: Capture, dialect?: string): Promise<Comparison> {
  const { pairs, skipped } = await played(capture, dialect);
  return { compared: pairs.length, differences: pairs.flatMap(differencesIn), skipped };
}

export function wronglySigned({ events }: Capture, secret: string): string[] {
  return events.flatMap(({ place, raw, headers }) =>
    verifySignature(secret, raw, headers['x-service-signature']) ? [] : [place],
  );
}
