/**
 * Kills a sandbox with `kill -9` in the middle of its work, again and again, and looks whether anything that it had
 * answered is gone: messages, codes, the clock, retries ahead, events under their one id. Exits 1 when something is.
 *
 *   npm run crash -- [--rounds 50] [--seed 1] [--fsync always|interval]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crash } from './crash/rounds.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    fsync: { type: 'string', default: 'always' },
  },
});
const rounds = Number(values.rounds);
const seed = Number(values.seed);
const { fsync } = values;
if (!Number.isSafeInteger(rounds) || rounds < 1 || !Number.isSafeInteger(seed)) {
  console.error(`--rounds and --seed are whole numbers; found ${values.rounds} and ${values.seed}.`);
  process.exit(2);
}
if (fsync !== 'always' && fsync !== 'interval') {
  console.error(`--fsync is always or interval; found ${fsync}.`);
  process.exit(2);
}
const dir = await mkdtemp(join(tmpdir(), 'sandbox-crash-'));
try {
  const { findings, messages, attempts } = await crash({ rounds, seed, fsync, dir, say: (line) => console.log(line) });
  console.log(
    findings.length === 0
      ? `${rounds} crashes with --fsync ${fsync}: all of ${messages} messages and ${attempts} attempts accounted for.`
      : `${rounds} crashes with --fsync ${fsync}: ${findings.length} findings.`,
  );
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await rm(dir, { recursive: true, force: true });
}
