import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildPackage, pack, type Packed } from './support/package.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The package as it is published. */
    release: Packed;
  }
}

/** Builds and packs the package once per run, for all tests of what a user gets. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  await buildPackage(folder);
  project.provide('release', await pack(folder));
  return () => rm(folder, { recursive: true, force: true });
}
