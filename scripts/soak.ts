/**
 * Does the sandbox stay as it was, however long it runs? Lets thousands of accounts live and go, over HTTP and live sockets,
 * with clocks moved, scenarios switched and snapshots restored, and looks at heap and handles in between.
 *
 *   npm run soak -- --help
 */
import { Command } from 'commander';
import { soak } from './soak/soak.js';
import { growthOf } from './soak/steady.js';
import { wholeNumber } from './whole-number.js';

const { data, ...numbers } = new Command('npm run soak --')
  .description(
    'Lives of accounts over HTTP and live sockets, with a look at heap and handles in between. Exits 1 when something grew, ' +
      'or when Node warned of listeners that pile up. A million operations take half an hour and more.',
  )
  .option('--operations <number>', 'calls and connections in all', wholeNumber(1), 1_000_000)
  .option('--rounds <number>', 'looks at the heap', wholeNumber(6), 40)
  .option('--lives <number>', 'accounts that live at once', wholeNumber(1), 8)
  .option('--seed <number>', 'what each life does', wholeNumber(0), 1)
  .option('--data <dir>', 'keep the accounts there (default: in memory only)')
  // 1 says that something was found.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<{ operations: number; rounds: number; lives: number; seed: number; data?: string }>();

const startedMs = performance.now();
const { readings, byStatus, warnings } = await soak({
  ...numbers,
  dataDir: data ?? null,
  onReading: ({ operations, heapBytes, resources }) => {
    const held = Object.entries(resources).map(([name, count]) => `${name} ${count}`);
    console.log(`${String(operations).padStart(9)} operations  ${megabytes(heapBytes)} MB heap  ${held.join(', ')}`);
  },
});
const { bytesPerOperation, allowedBytesPerOperation, resources } = growthOf(readings);
const seconds = (performance.now() - startedMs) / 1000;
const total = readings.at(-1)?.operations ?? 0;
const answers = [...byStatus].sort().map(([status, count]) => `${count} × ${status}`);
console.log(`${total} operations in ${seconds.toFixed(0)} s; answers: ${answers.join(', ')}`);
console.log(`heap: ${bytesPerOperation.toFixed(2)} bytes an operation, allowed ${allowedBytesPerOperation.toFixed(2)}`);

const problems = [
  ...(bytesPerOperation > allowedBytesPerOperation ? ['the heap grows'] : []),
  ...resources.map((text) => `left open: ${text}`),
  ...warnings,
];
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'Nothing grew.' : 'Something grew.');
process.exitCode = problems.length === 0 ? 0 : 1;

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(2).padStart(7);
}
