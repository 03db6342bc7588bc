/** The shape of the machine that measured: enough to judge a number by, nothing that tells whose it is. */
import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, release, totalmem, type as system } from 'node:os';

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  /** Gigabytes (10^9 bytes), whole. */
  readonly memoryGb: number;
  readonly system: string;
}

export function thisMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    system: `${system()} ${release().split('-')[0] ?? ''}`.trim(),
  };
}

/** The commit that was measured, with a plus sign when the tree had changes on top; `unknown` outside a repository. */
export function thisCommit(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    const changed = git('status', '--porcelain', '--', 'src', 'package-lock.json', 'openapi.yaml') === '' ? '' : '+';
    return git('rev-parse', '--short=7', 'HEAD') + changed;
  } catch {
    return 'unknown';
  }
}
