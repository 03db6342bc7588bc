import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Plugin } from 'rolldown';
import type { TestProject } from 'vitest/node';
import { bundle, writeDist } from '../scripts/dist.js';
import { isBuilt } from '../scripts/is-built.js';
import { startBuilt, type BuiltCli } from './support/built-cli.js';

declare module 'vitest' {
  export interface ProvidedContext {
    cli: BuiltCli;
    /** The address of the sandbox that all tests of the web UI share; null in a run without them. */
    served: string | null;
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
    await writeDist(dist, withPackages, isBuilt('.') ? (to) => cp('dist/ui', to, { recursive: true }) : undefined);
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  const cli = { main: join(dist, 'cli/main.js'), failure };
  project.provide('cli', cli);
  // The set-up of the projects in a run comes before this one.
  const hasBrowser = project.vitest.projects.some((each) => typeof each.getProvidedContext().browser === 'string');
  const served =
    hasBrowser && failure === null ? await startBuilt(cli, ['--clock', 'frozen:2026-03-01T09:00:00Z']) : null;
  project.provide('served', served?.url ?? null);
  return async () => {
    await served?.stop();
    await rm(app, { recursive: true, force: true });
  };
}

/** The warm-up takes as much processor time as the start, and is for the first call that is rejected. */
const withoutWarmUp: Plugin = {
  name: 'without-warm-up',
  transform: {
    filter: { id: /[\\/]src[\\/]sandbox\.ts$/ },
    handler(code) {
      const cold = code.replace('warmUpAfterMs = 250', 'warmUpAfterMs = null');
      if (cold === code) this.error('the warm-up of src/sandbox.ts is not where it was');
      // It is as long as before, line by line.
      return { code: cold, map: null };
    },
  },
};

/**
 * With packages in it and no warm-up, the process takes a third of the processor time, and tests start a hundred. The tests
 * of the package start what is shipped.
 */
const withPackages = (outdir: string) =>
  bundle(outdir, /^(?:vitest|ajv|express-openapi-validator|undici)(?:\/|$)/, [withoutWarmUp]);
