/** Another commit of this repository, built in a folder of its own. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../support/options.js';

/**
 * Checks the commit out under the system's temporary folder, installs its own packages there (without install scripts),
 * builds it, hands over the folder, and removes it again.
 * @throws UsageError when there is no such commit, Error when it cannot be installed or built
 */
export async function withBuilt<T>(base: string, use: (folder: string) => Promise<T>): Promise<T> {
  const commit = commitOf(base);
  const root = mkdtempSync(join(tmpdir(), 'bench-base-'));
  const folder = join(root, 'base');
  const remove = (): void => {
    spawnSync('git', ['worktree', 'remove', '--force', folder], { stdio: 'ignore' });
    rmSync(root, { recursive: true, force: true });
  };
  // Also when the run is interrupted: git would go on counting a worktree whose folder is gone.
  process.once('exit', remove);
  try {
    run('git', ['worktree', 'add', '--quiet', '--detach', folder, commit], process.cwd());
    console.error(`installing and building ${base} (${commit.slice(0, 7)}) …`);
    run(
      'npm',
      ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel', 'error'],
      folder,
    );
    run('npm', ['run', '--silent', 'build'], folder);
    return await use(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

function commitOf(base: string): string {
  // No revision begins with a hyphen; git would take it for an option.
  const found = base.startsWith('-')
    ? null
    : spawnSync('git', ['rev-parse', '--verify', '--quiet', `${base}^{commit}`]);
  if (found?.status === 0) return found.stdout.toString().trim();
  throw new UsageError(
    `"${base}" is no commit, branch or tag of this repository. In CI a shallow clone lacks it: fetch it first (actions/checkout: fetch-depth: 0).`,
  );
}

function run(file: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(file, args, { cwd, stdio: ['ignore', process.stderr, process.stderr] });
  if (status !== 0) throw new Error(`\`${file} ${args.join(' ')}\` failed for the base; what it said stands above.`);
}
