import { Option } from 'commander';
import type { Command } from 'commander';
import { printable } from '../../domain/printable.js';
import { coverageJunit, coverageMarkdown, percent } from '../../reports/coverage/report.js';
import type { Coverage } from '../../reports/coverage/report.js';
import { withQuery } from '../../client/connection.js';
import { connect, withClientFlags } from '../client.js';
import type { ClientFlags } from '../client.js';
import { exercised, requireShare, withCoverageChoice, type CoverageFlags } from '../coverage-choice.js';
import { newCommand } from '../new-command.js';

interface Flags extends ClientFlags, CoverageFlags {
  readonly format?: 'json' | 'markdown' | 'junit';
}

/** `coverage`: shows which parts of the API the account has exercised. */
export function define(): Command {
  const command = newCommand(
    'coverage',
    'Report which operations, errors and states a run exercised, and how to exercise the rest.',
  ).addOption(new Option('--format <FORMAT>', 'output format (default: text)').choices(['json', 'markdown', 'junit']));
  return withClientFlags(withCoverageChoice(command)).action(async (flags: Flags) => {
    const { include, ignore } = flags;
    const query = { include: include?.join(','), ignore: ignore?.join(',') };
    const coverage = await connect(flags).call<Coverage>('GET', withQuery('/_sandbox/coverage', query));
    process.stdout.write(printable(written(coverage, flags.json === true ? 'json' : flags.format)));
    requireShare(coverage, flags);
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
  return [`${exercised(coverage)}:`, ...perGroup, ...(never.length === 0 ? [] : ['', 'Never exercised:', ...never])];
}
