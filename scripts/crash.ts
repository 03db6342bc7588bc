/**
 * Kills a sandbox under load with `kill -9` repeatedly, and checks that everything in its responses still exists:
 * messages, codes, the clock, pending retries, events with one id each. `npm run crash -- --help` lists the options.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crash } from './crash/rounds.js';

const help = `npm run crash -- [--rounds N] [--seed N] [--fsync always|interval]
Kills a sandbox with kill -9 under load and starts it again, 50 times by default. Exits with 1 if anything that it had
answered is missing or doubled.`;
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    fsync: { type: 'string', default: 'always' },
    help: { type: 'boolean', short: 'h' },
  },
});
const [rounds, seed, fsync] = [Number(values.rounds), Number(values.seed), values.fsync];
const isValid = Number.isSafeInteger(rounds) && rounds > 0 && Number.isSafeInteger(seed);
if (values.help === true || !isValid || (fsync !== 'always' && fsync !== 'interval')) {
  console.error(help);
  process.exit(values.help === true ? 0 : 2);
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
