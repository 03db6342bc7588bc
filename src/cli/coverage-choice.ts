/** The flags of commands that require a share of the coverage. */
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { percent, type Coverage, type CoverageChoice } from '../reports/coverage/report.js';
import { CliFailure } from './failure.js';

export interface CoverageFlags extends CoverageChoice {
  readonly failUnder?: number;
}

/** Adds `--fail-under`, `--ignore` and `--include` to a command. */
export function withCoverageChoice(command: Command): Command {
  return command
    .option('--fail-under <PERCENT>', 'exit with 1 if less than this share was exercised', readPercent)
    .option('--ignore <WHAT>', 'groups, or items as "group: name", that do not count; comma-separated', list)
    .option('--include <GROUPS>', 'groups that count in addition, such as "caller error"', list);
}

/** `62 % of the API was exercised (31 of 50)`. */
export function exercised(coverage: Coverage): string {
  return `${percent(coverage)} % of the API was exercised (${coverage.covered} of ${coverage.total})`;
}

/** @throws CliFailure (1) if the share is smaller than required */
export function requireShare(coverage: Coverage, { failUnder }: CoverageFlags): void {
  const share = coverage.total === 0 ? 100 : (coverage.covered / coverage.total) * 100;
  if (failUnder === undefined || share >= failUnder) return;
  const found = `${(Math.floor(share * 10) / 10).toString()} % of the API was exercised`;
  throw new CliFailure(
    1,
    `${found} (${coverage.covered} of ${coverage.total}), less than the ${failUnder} % of --fail-under. ` +
      'Exercise more, or use --ignore to exclude what the application does not use.',
  );
}

function list(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(',').map((name) => name.trim())].filter((name) => name !== '');
}

function readPercent(text: string): number {
  if (/^\d{1,3}(?:\.\d+)?$/.test(text) && Number(text) <= 100) return Number(text);
  throw new InvalidArgumentError('Allowed: a number from 0 to 100.');
}
