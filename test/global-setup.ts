import { mkdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
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
 * Bundles the CLI once per run, as `npm run build` does, without the types. Into a folder of this run alone, because
 * two runs at a time, or a server started from dist/, must not lose their files. A bundle that fails is told by the
 * tests that need it; the others can still run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Inside the project, where a built file finds package.json and scenarios/ as it does from dist/.
  const outdir = resolve('node_modules/.cache/messaging-sandbox', `dist-${process.pid}`);
  await mkdir(outdir, { recursive: true });
  let failure: string | null = null;
  try {
    await bundle(outdir, ['src/cli/main.ts']);
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  project.provide('cli', { main: resolve(outdir, 'cli/main.js'), failure });
  return () => rm(outdir, { recursive: true, force: true });
}
