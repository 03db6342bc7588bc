/**
 * Measures the sandbox beside others and by itself, and prints a Markdown page.
 *
 *   npm run bench -- [NAME …] [--quick] [--node PATH]
 */
import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { advance, deliveries, inProcess } from './alone.js';
import { ready, underLoad } from './beside.js';
import { dialects } from './dialect.js';
import { growth, growthOnDisk } from './growth.js';
import { serverNode } from './sandbox.js';
import type { Settings } from './settings.js';

const measurements: Record<
  string,
  { readonly title: string; readonly measure: (settings: Settings) => Promise<string> }
> = {
  load: { title: 'Sends, 50 connections', measure: underLoad },
  start: { title: 'From spawn to ready, and the first mistake', measure: ready },
  library: { title: 'In a test process', measure: inProcess },
  deliveries: { title: 'Deliveries', measure: deliveries },
  advance: { title: 'Moving the clock', measure: advance },
  dialect: { title: 'A dialect that sets every form', measure: dialects },
  growth: { title: 'Growth in memory', measure: growth },
  'growth-data': { title: 'Growth with `--data`', measure: growthOnDisk },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, node: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});
const unknown = positionals.filter((name) => !Object.hasOwn(measurements, name));
if (values.help === true || unknown.length > 0) {
  console.error(`npm run bench -- [${Object.keys(measurements).join('|')}] … [--quick] [--node PATH]`);
  process.exit(unknown.length > 0 ? 2 : 0);
}
const settings: Settings =
  values.quick === true ? { rounds: 2, seconds: 1, messages: 20_000 } : { rounds: 5, seconds: 3, messages: 100_000 };
if (values.node !== undefined) serverNode.path = resolve(values.node);
const version = execFileSync(serverNode.path, ['--version'], { encoding: 'utf8' }).trim();
serverNode.major = Number(/^v(\d+)/.exec(version)?.[1]);

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? ''}, ${Math.round(totalmem() / 1e9)} GB`;
console.log(
  `# Benchmarks\n\n${new Date().toISOString().slice(0, 10)}, commit ${commit}, Node ${version}, ${machine}, ` +
    `load before ${(loadavg()[0] ?? 0).toFixed(1)}. ${settings.rounds} rounds, runs of ${settings.seconds} s.`,
);
for (const [name, { title, measure }] of Object.entries(measurements)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.error(`measuring ${name} …`);
  console.log(`\n## ${title}\n\n${await measure(settings)}`);
}
