import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundle } from '../scripts/bundle.js';

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
 * Bundles once per run, as `npm run build` does, without the types. The folder belongs to this run alone, because two
 * runs at a time, or a server started from dist/, must not lose their files. It lies outside the project, with what the
 * image holds and no node_modules, so that a package left out of the bundle is missed here and not first there.
 * If bundling fails, the tests that need it report why; the others can still run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const app = await mkdtemp(join(tmpdir(), 'messaging-sandbox-'));
  const dist = join(app, 'dist');
  await cp('package.json', join(app, 'package.json'));
  for (const folder of ['docs', 'scenarios']) await cp(folder, join(app, folder), { recursive: true });
  await mkdir(dist);
  let failure: string | null = null;
  try {
    await bundle(dist);
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  project.provide('cli', { main: join(dist, 'cli/main.js'), failure });
  return () => rm(app, { recursive: true, force: true });
}
