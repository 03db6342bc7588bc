/** The peers' packages: in a folder of their own, installed when they are first needed. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** The path of a file of an installed package, such as `fastify`, `package.json`. */
export function packageFile(name: string, file: string): string {
  return join(folder, 'node_modules', name, file);
}

/** A program of `servers/`. */
export function serverFile(name: string): string {
  return join(folder, 'servers', name);
}

/** The version that is installed; null when there is none. */
export function installedVersion(name: string): string | null {
  try {
    return versionIn(readFileSync(packageFile(name, 'package.json'), 'utf8'));
  } catch {
    return null;
  }
}

function versionIn(text: string): string {
  return (JSON.parse(text) as { version: string }).version;
}

/**
 * Installs what `bench/peers/package.json` asks for, unless it is there already. About 200 MB, once; no install script of
 * any package runs.
 * @throws Error when npm fails, with what to do
 */
export function ensurePeers(): void {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const wanted = Object.entries(dependencies).filter(([name, version]) => installedVersion(name) !== version);
  if (wanted.length === 0) return;
  console.error(`installing ${wanted.map(([name]) => name).join(', ')} into bench/peers (about 200 MB, once) …`);
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'], {
    cwd: folder,
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (status !== 0) {
    throw new Error(
      'npm could not install the peers. Try `npm ci --ignore-scripts` in bench/peers, or leave them out: --only ours,ours-data.',
    );
  }
}
