import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { printable } from '../../domain/printable.js';
import { coverageJunit, coverageMarkdown, percent } from '../../reports/coverage/report.js';
import type { Coverage } from '../../reports/coverage/report.js';
import { connect, withClientFlags } from '../client.js';
import type { ClientFlags } from '../client.js';
import { CliFailure } from '../failure.js';
import { newCommand } from '../new-command.js';

interface Flags extends ClientFlags {
  readonly format?: 'json' | 'markdown' | 'junit';
  readonly failUnder?: number;
}

/** `coverage`: shows which parts of the API the account has exercised. */
export function define(): Command {
  const command = newCommand('coverage', 'What of the contract this run exercised, and what would exercise the rest.')
    .addOption(
      new Option('--format <FORMAT>', 'how it is written (default: for people)').choices(['json', 'markdown', 'junit']),
    )
    .option('--fail-under <PERCENT>', 'exit 1 when less than this share was exercised', readPercent);
  return withClientFlags(command).action(async (flags: Flags) => {
    const coverage = await connect(flags).call<Coverage>('GET', '/_sandbox/coverage');
    process.stdout.write(printable(written(coverage, flags.json === true ? 'json' : flags.format)));
    const { failUnder } = flags;
    const share = coverage.total === 0 ? 100 : (coverage.covered / coverage.total) * 100;
    if (failUnder !== undefined && share < failUnder) {
      throw new CliFailure(1, `${summary(coverage)}, which is under the ${failUnder} % asked for.`);
    }
  });
}

function written(coverage: Coverage, format: Flags['format']): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(coverage, null, 2)}\n`;
    case 'markdown':
      return coverageMarkdown(coverage);
    case 'junit':
      return coverageJunit(coverage);
    case undefined:
      return `${lines(coverage).join('\n')}\n`;
  }
}

function lines(coverage: Coverage): string[] {
  const groups = [...new Set(coverage.items.map(({ group }) => group))];
  const perGroup = groups.map((group) => {
    const own = coverage.items.filter((item) => item.group === group);
    const covered = own.filter(({ hits }) => hits > 0).length;
    const share = percent({ total: own.length, covered });
    return `  ${group.padEnd(16)} ${String(share).padStart(3)} %  ${covered} of ${own.length}`;
  });
  const missing = coverage.items.filter(({ hits }) => hits === 0);
  const never = missing.map(({ group, name, hint }) => `  ${group}: ${name}\n      ${hint}`);
  return [`${summary(coverage)}:`, ...perGroup, ...(never.length === 0 ? [] : ['', 'Never exercised:', ...never])];
}

function summary(coverage: Coverage): string {
  return `${percent(coverage)} % of the contract was exercised (${coverage.covered} of ${coverage.total})`;
}

function readPercent(text: string): number {
  if (/^\d{1,3}(?:\.\d+)?$/.test(text) && Number(text) <= 100) return Number(text);
  throw new InvalidArgumentError('Allowed: a number from 0 to 100.');
}
