import { spawnSync } from 'node:child_process';
import { UsageError } from './options.js';

/** The node that runs the servers: `--node PATH`, or this one. The load always comes from this one. */
export function serverNode(): string {
  return process.env['BENCH_NODE'] ?? process.execPath;
}

/** Its version, such as `v24.1.0`. @throws UsageError when the path is no node */
export function versionOf(node: string): string {
  const { stdout, error } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  const version = error === undefined ? stdout.trim() : error.message;
  if (/^v\d+\.\d+\.\d+/.test(version)) return version;
  throw new UsageError(`--node takes the path of a node; asked for its version, ${node} gave "${version}".`);
}
