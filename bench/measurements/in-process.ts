/** The library in a test process: how long the import takes, and how long each sandbox. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { builtLibrary } from '../support/built.js';
import { serverNode } from '../support/node.js';
import type { Figure } from '../support/figure.js';
import type { Settings } from '../support/settings.js';

const run = promisify(execFile);

/** A process of its own for each round: only there is a first time really the first. */
const program = `
  const from = performance.now();
  const { createSandbox } = await import(process.argv[1]);
  const imported = performance.now();
  const first = await createSandbox();
  const firstReady = performance.now();
  const second = await createSandbox();
  const secondReady = performance.now();
  await Promise.all([first.close(), second.close()]);
  console.log(JSON.stringify({
    importMs: imported - from, firstMs: firstReady - imported, nextMs: secondReady - firstReady,
  }));
`;

interface Times {
  readonly importMs: number;
  readonly firstMs: number;
  readonly nextMs: number;
}

export async function inProcess({ rounds }: Settings): Promise<Figure[]> {
  const library = pathToFileURL(await builtLibrary()).href;
  const times: Times[] = [];
  // The first start fills the caches of the disk and is not counted.
  for (let round = -1; round < rounds; round += 1) {
    const { stdout } = await run(serverNode(), ['--input-type=module', '-e', program, library]);
    if (round >= 0) times.push(JSON.parse(stdout) as Times);
  }
  const figure = (what: string, part: keyof Times): Figure => ({
    what,
    unit: 'ms',
    values: times.map((each) => each[part]),
  });
  return [
    figure('import of the package', 'importMs'),
    {
      ...figure('first `createSandbox()` of a process, which loads the server', 'firstMs'),
      goal: { of: 'value', most: 50 },
    },
    figure('every further one', 'nextMs'),
  ];
}
