/**
 * Does the sandbox stay as it was, however long it runs? Lets thousands of accounts live and go, over HTTP and live sockets,
 * with clocks moved, scenarios switched and snapshots restored, and looks at heap and handles in between.
 *
 *   npm run soak -- [--operations 1000000] [--rounds 40] [--lives 8] [--seed 1] [--data DIR]
 *
 * Exits 1 when something grew, or when Node warned of listeners that pile up. A million operations take half an hour and more.
 */
import { parseArgs } from 'node:util';
import { soak } from './soak/soak.js';
import { growthOf } from './soak/steady.js';

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '40' },
    lives: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    data: { type: 'string' },
  },
});

const startedMs = performance.now();
const { readings, byStatus, warnings } = await soak({
  operations: wholeNumber('operations', values.operations, 1),
  rounds: wholeNumber('rounds', values.rounds, 6),
  lives: wholeNumber('lives', values.lives, 1),
  seed: wholeNumber('seed', values.seed, 0),
  dataDir: values.data ?? null,
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

function wholeNumber(name: string, text: string, least: number): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= least) return number;
  console.error(`--${name} must be a whole number from ${least} on; found "${text}".`);
  return process.exit(2);
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(2).padStart(7);
}
