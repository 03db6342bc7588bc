/**
 * `kill -9` of a working sandbox, once; three times with `FUZZ=full`, and fifty by `npm run crash`. The moments are seeded.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { crash } from './rounds.js';
import { isFull } from '../support/property.js';

const rounds = isFull ? 3 : 1;

it.each(['always', 'interval'] as const)(
  'with --fsync %s, a sandbox killed in the middle of its work has kept what it answered',
  { timeout: 240_000 },
  async (fsync) => {
    const dir = await mkdtemp(join(tmpdir(), 'crash-'));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const told: string[] = [];
    const { findings, messages, attempts } = await crash({
      rounds,
      seed: 5,
      fsync,
      main: [inject('cli').main],
      dir,
      say: (line) => void told.push(line),
    });
    expect(findings).toEqual([]);
    expect(told.filter((line) => line.startsWith('round'))).toHaveLength(rounds);
    expect(messages).toBeGreaterThan(0);
    expect(attempts).toBeGreaterThan(messages);
  },
);
