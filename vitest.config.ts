import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** What a user gets: the package as it is packed, the examples and the files for a cluster. */
const release = ['test/package.test.ts', 'test/examples*.test.ts', 'test/{examples,deploy}/**/*.test.ts'];
const ui = ['test/ui/**/*.test.ts'];
/** The example of a recording imports the product by its name. All projects have this, so that they share cached modules. */
const resolve = { alias: { 'messaging-sandbox': join(import.meta.dirname, 'src/index.ts') } };

/** Tests that need a POSIX shell, symbolic links, or signals that a process can handle. */
const posix = [
  'test/docs/{control-plane,start,verify,walk}.test.ts',
  'test/{crash/crash,restart}.test.ts',
  'test/store/{disk,lock}.test.ts',
  'test/live/listen.test.ts',
];

const common = {
  // Two cores, and some tests start real servers: a hung test should fail, a slow machine should not.
  testTimeout: 60_000,
  hookTimeout: 120_000,
};

// Projects run in the order of their names. The last, by far the largest, fills all workers to the end.
export default defineConfig({
  test: {
    ...common,
    // Tests wait for processes and browsers: with three workers, two cores were idle for a quarter of the time.
    maxWorkers: 2 * availableParallelism(),
    // Sources that have not changed are not transformed again, neither by the next project nor by the next run.
    experimental: { fsModuleCache: true },
    // Once per run, not once per project as it would be with `extends`.
    globalSetup: ['test/global-setup.ts'],
    projects: [
      {
        resolve,
        test: {
          ...common,
          name: 'release',
          include: release,
          globalSetup: ['test/release-setup.ts'],
          isolate: false,
        },
      },
      {
        resolve,
        test: {
          ...common,
          name: 'ui',
          include: ui,
          // A page and its sandbox take turns on a busy machine in ways that no test can list.
          retry: process.env['CI'] === undefined ? 0 : 1,
          globalSetup: ['test/browser-setup.ts'],
          isolate: false,
        },
      },
      {
        resolve,
        test: {
          ...common,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...release, ...ui, ...(process.platform === 'win32' ? posix : [])],
          // Loading the sources anew for each file took half of the time. A test closes and restores what it opens.
          isolate: false,
        },
      },
    ],
  },
});
