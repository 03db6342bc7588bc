import { build } from 'esbuild';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { writeDist } from '../scripts/dist.js';

/** The built CLI that tests spawn: the path of its main file, or why there is none. */
export interface BuiltCli {
  readonly main: string;
  readonly failure: string | null;
}

declare module 'vitest' {
  export interface ProvidedContext {
    cli: BuiltCli;
  }
}

/**
 * Builds once per run, outside of dist/, because two runs at a time, or a server started from dist/, must not lose their
 * files. If it fails, the tests that need it report why; the others can still run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const app = await mkdtemp(join(tmpdir(), 'messaging-sandbox-'));
  const dist = join(app, 'dist');
  await mkdir(dist);
  await cp('package.json', join(app, 'package.json'));
  for (const name of ['docs', 'scenarios', 'llms.txt', 'node_modules']) await symlink(resolve(name), join(app, name));
  let failure: string | null = null;
  try {
    await writeDist(dist, transpile);
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  project.provide('cli', { main: join(dist, 'cli/main.js'), failure });
  return () => rm(app, { recursive: true, force: true });
}

/** What tsc writes, in a twentieth of the time. The tests of the package use tsc. */
async function transpile(outdir: string): Promise<void> {
  const files = await readdir('src', { recursive: true });
  const sources = files.filter((file) => /(?<!\.d)\.ts$/.test(file) && !/^ui[\\/]page/.test(file));
  await build({ entryPoints: sources.map((file) => join('src', file)), outbase: 'src', outdir, logLevel: 'silent' });
}
