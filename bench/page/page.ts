/** docs/benchmarks.md, made from the results and from nothing else, so that a test can make it again. */
import { format } from 'prettier';
import { measurements, type Measurement } from '../measurements/registry.js';
import { majorOf, type Result } from '../support/results.js';
import { loadTables } from './load-section.js';
import { startTables } from './start-section.js';
import { rowsTable } from './table.js';

export const pagePath = 'docs/benchmarks.md';

/** The page in Markdown, as the formatter leaves it, so that the file on disk can be compared with it. */
export async function benchmarksPage(results: readonly Result[]): Promise<string> {
  const sections = measurements.map((measurement) => section(measurement, results));
  return format(`${frame}\n\n${sections.join('\n\n')}\n`, { parser: 'markdown', printWidth: 120 });
}

const frame = `# Benchmarks

<!-- Written by bench/run.ts from bench/results; run \`npm run bench -- --page\` instead of editing. -->

How fast the sandbox is, beside what one would use instead and by itself, measured by scripts that anyone can run.

## How to read this

- **Ratios count, not rates.** Everything in one table was measured in one run on one machine, in turns. A rate tells what
  that machine was; a ratio of two turns of the same round travels better.
- A cell such as \`1.62 (1.40–1.81)\` is the median of the ratios of all rounds, then the lowest and the highest. All other
  cells are medians.
- **Under 1.3× is a tie.** Load generator, server and whatever else runs share the cores, and on few cores with noisy
  neighbours that much comes and goes by itself. So does a difference that is smaller than its own spread.
- The load generator (autocannon) runs on Node too and uses up a core. Where it was busy more than 90 % of the time, a rate
  says "≥": the server could do more. Processor time a send has no such ceiling.
- A server that does less for a request should be faster. What each leaves out stands below the tables, and what it says
  to forbidden requests was asked, not assumed.
- A goal is what the project asks of itself; a missed one is a bug to be worked on, not hidden. Where the goal is to be as
  fast as another, a tie meets it (Node 24, where Express itself is twice as fast: 0.77×).

## How to run it

\`\`\`sh
npm run bench -- --help
npm run bench -- all
npm run bench -- peers --only ours,express --rounds 3
npm run bench -- all --node ~/node24/bin/node
npm run bench -- growth memory --messages 100000 --no-record
npm run bench -- --compare main --tolerance 10%
\`\`\`

A measurement keeps every single value in \`bench/results/\`, one file for each version of Node, and writes this page anew;
so each can be run again alone. \`--node\` says which Node runs the servers. The peers are installed into \`bench/peers\` when
they are first needed (about 200 MB) and are no part of the package. \`--compare\` builds another commit in a temporary
folder, runs it and the present tree in turns, and exits with 1 when the present one is worse by more than the tolerance.
Nothing here is part of the tests: a test that times is a test that fails on a busy day.`;

function section(measurement: Measurement, results: readonly Result[]): string {
  const own = results.filter((result) => result.measurement === measurement.name);
  const blocks = [...own]
    .sort((a, b) => Number(majorOf(a.node)) - Number(majorOf(b.node)))
    .map(
      (result) =>
        `### ${measurement.title}, Node ${majorOf(result.node)}\n\n${circumstances(result)}\n\n${findingsTables(result)}`,
    );
  const none = `Not measured yet: \`npm run bench -- ${measurement.name}\`.`;
  return [`## ${measurement.title}`, measurement.method, ...(blocks.length === 0 ? [none] : blocks)].join('\n\n');
}

export function findingsTables({ findings, node }: Result): string {
  switch (findings.kind) {
    case 'load':
      return loadTables(findings, Number(majorOf(node)));
    case 'start':
      return startTables(findings);
    case 'rows':
      return rowsTable(findings.rows);
  }
}

function circumstances({ takenAt, commit, node, machine, loadBefore, settings }: Result): string {
  const { processor, cores, memoryGb, system } = machine;
  const { rounds, seconds, connections } = settings;
  return [
    `${takenAt.slice(0, 10)}, commit ${commit}, Node ${node.replace('v', '')}.`,
    `${cores} × ${processor}, ${memoryGb} GB, ${system}.`,
    `${rounds} rounds; a run under load lasts ${seconds} s, with ${connections} connections where servers are compared.`,
    ...(loadBefore > cores
      ? [
          `**The machine was busy with other things** (load ${loadBefore.toFixed(1)} on ${cores} cores): do not rely on these figures.`,
        ]
      : []),
  ].join(' ');
}
