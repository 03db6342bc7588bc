/**
 * Kills a sandbox with `kill -9` in the middle of its work, again and again, and looks whether anything that it had
 * answered is gone: messages, codes, the clock, retries ahead, events under their one id.
 *
 *   npm run crash -- --help
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { crash } from './crash/rounds.js';
import { wholeNumber } from './whole-number.js';

const { rounds, seed, fsync } = new Command('npm run crash --')
  .description(
    'Kills a sandbox with kill -9 under load, starts it again, and judges what is there by what it had answered. Exits 1 ' +
      'when anything is missing, or said twice.',
  )
  .option('--rounds <number>', 'how many times it is killed', wholeNumber(1), 50)
  .option('--seed <number>', 'when it is killed, and what is sent', wholeNumber(0), 1)
  .addOption(new Option('--fsync <when>', 'as of the sandbox').choices(['always', 'interval']).default('always'))
  // 1 says that something was found.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<{ rounds: number; seed: number; fsync: 'always' | 'interval' }>();

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
