import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { compile, writeDist } from '../scripts/dist.js';
import { isBuilt } from '../scripts/is-built.js';
import { must, type Packed } from './support/package.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The package as it is published. */
    release: Packed;
  }
}

/**
 * Builds and packs the package once per run, for all tests of what a user gets; outside of dist/, so that two concurrent runs
 * do not remove each other's files.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  await buildPackage(folder);
  project.provide('release', await pack(folder));
  return () => rm(folder, { recursive: true, force: true });
}

const promised = ['package.json', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE', 'deploy', 'docs', 'examples'];

/** Builds everything that package.json publishes into `folder`. */
async function buildPackage(folder: string): Promise<void> {
  for (const name of [...promised, 'llms.txt', 'openapi.yaml', 'scenarios', 'src', 'test', 'bench']) {
    await cp(name, join(folder, name), { recursive: true });
  }
  if (isBuilt('.')) await cp('dist', join(folder, 'dist'), { recursive: true });
  else await writeDist(join(folder, 'dist'), compile);
}

/** Runs `npm pack` without the preceding build. */
async function pack(folder: string): Promise<Packed> {
  const report = await must('npm', ['pack', '--ignore-scripts', '--json'], { cwd: folder });
  const [packed] = JSON.parse(report) as [{ filename: string; files: { path: string }[] }];
  return { folder, tarball: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
}
