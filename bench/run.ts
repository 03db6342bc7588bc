/**
 * Measures the sandbox, beside others and by itself, and writes docs/benchmarks.md; nothing is asserted.
 *
 *   npm run bench -- --help
 */
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { machineTime } from '../src/time/system-clock.js';
import { compareWith } from './compare/compare.js';
import { comparisonTable, isWorse } from './compare/verdict.js';
import { measurements } from './measurements/registry.js';
import { benchmarksPage, findingsTables, pagePath } from './page/page.js';
import { peers } from './peers/registry.js';
import { thisCommit, thisMachine } from './support/machine.js';
import { serverNode, versionOf } from './support/node.js';
import { parseTask, UsageError, type Task } from './support/options.js';
import { readResults, writeResult, type Result } from './support/results.js';
import { defaultSettings } from './support/settings.js';

const { rounds, seconds, connections, messages } = defaultSettings;
const help = `npm run bench -- NAME … [options]       measure, keep the results, write ${pagePath}
npm run bench -- --compare BASE          another commit against the present tree; exit 1 when this one is worse

Names:
  ${'all'.padEnd(16)} everything below
${measurements.map(({ name, summary }) => `  ${name.padEnd(16)} ${summary}`).join('\n')}

Options:
  --rounds N       interleaved repetitions of everything (${rounds})
  --seconds N      how long a run under load lasts (${seconds})
  --connections N  connections of the load where servers are compared (${connections})
  --messages N     stored where growth and memory are measured (${messages})
  --quick          2 rounds of 1 s, 100,000 messages: to see that it works
  --only A,B       of the servers only these, to look at and not to keep:
                   ${peers.map(({ name }) => name).join(', ')}
  --node PATH      the node that runs the servers (this one); results are kept for each major version
  --no-record      print the figures and leave results and page alone
  --page           write the page anew from the results that are there
  --compare BASE   commit, branch or tag; it is built in a temporary folder
  --tolerance P    with --compare, how much worse a median may be (10%)
  -h, --help       this text

A measurement takes the machine for itself: leave nothing else running.`;

async function run(task: Task): Promise<void> {
  if (task.do === 'help') {
    console.log(help);
    return;
  }
  if (task.do === 'page') return writePage();
  if (task.node !== null) process.env['BENCH_NODE'] = resolve(task.node);
  const node = versionOf(serverNode());
  if (task.do === 'compare') {
    const pairs = await compareWith(task.base, task.settings);
    console.log(comparisonTable(pairs, task.tolerance));
    if (pairs.some((pair) => isWorse(pair, task.tolerance))) process.exitCode = 1;
    return;
  }
  for (const { name, measure } of measurements.filter((each) => task.names.includes(each.name))) {
    console.error(`measuring ${name} on Node ${node} …`);
    const takenAt = new Date(machineTime.now()).toISOString();
    const loadBefore = loadavg()[0] ?? 0;
    const findings = await measure(task.settings);
    const circumstances = {
      takenAt,
      loadBefore,
      commit: thisCommit(),
      node,
      machine: thisMachine(),
      settings: task.settings,
    };
    const result: Result = { measurement: name, ...circumstances, findings };
    console.log(`\n${findingsTables(result)}\n`);
    if (!task.record) continue;
    console.error(`written: ${await writeResult(result)}`);
    await writePage();
  }
}

async function writePage(): Promise<void> {
  await writeFile(pagePath, await benchmarksPage(readResults()));
  console.error(`written: ${pagePath}`);
}

// An orderly end: what waits for 'exit' stops the servers and removes the folders.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

try {
  await run(
    parseTask(
      process.argv.slice(2),
      measurements.map(({ name }) => name),
    ),
  );
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\nSee npm run bench -- --help.`);
  process.exitCode = 2;
}
