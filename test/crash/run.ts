/**
 * `npm run crash -- [--rounds N] [--seed N] [--fsync always|interval]` kills a sandbox under load with `kill -9` and starts
 * it again, 50 times by default. Exits with 1 if anything that it had answered is missing or doubled.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { crash } from './rounds.js';

const text = (standard: string) => ({ type: 'string', default: standard }) as const;
const { values } = parseArgs({ options: { rounds: text('50'), seed: text('1'), fsync: text('always') } });
const [rounds, seed, fsync] = [Number(values.rounds), Number(values.seed), values.fsync];
if (!(rounds > 0) || !Number.isSafeInteger(seed) || (fsync !== 'always' && fsync !== 'interval')) {
  throw new Error('Expected --rounds N --seed N --fsync always|interval.');
}
const say = (line: string): void => void process.stdout.write(`${line}\n`);

// From the sources, so that no build is needed.
const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const main = ['--import', loader, join(import.meta.dirname, '../../src/cli/main.ts')];

const dir = await mkdtemp(join(tmpdir(), 'sandbox-crash-'));
try {
  const { findings, messages, attempts } = await crash({ rounds, seed, fsync, main, dir, say });
  const all = `all of ${messages} messages and ${attempts} attempts accounted for`;
  say(`${rounds} crashes with --fsync ${fsync}: ${findings.length === 0 ? all : `${findings.length} findings`}.`);
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await rm(dir, { recursive: true, force: true });
}
