/**
 * Measurements of the server, as a Markdown table with ratios; nothing is asserted.
 *
 *   npx tsx bench/run.ts [NAME …]
 */
import { advance } from './measurements/advance.js';
import { deliveries } from './measurements/deliveries.js';
import { growth, growthOnDisk } from './measurements/growth.js';
import { rulesCost } from './measurements/rules.js';
import { start } from './measurements/start.js';
import { throughput } from './measurements/throughput.js';
import { markdownTable, type Line } from './support/stats.js';

const measurements: Record<string, () => Promise<Line[]>> = {
  throughput,
  growth,
  'growth-on-disk': growthOnDisk,
  start,
  advance,
  deliveries,
  rules: rulesCost,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(measurements, name));
if (unknown.length > 0) {
  console.error(`No measurement is named ${unknown.join(', ')}; there are ${Object.keys(measurements).join(', ')}.`);
  process.exit(2);
}

const lines: Line[] = [];
for (const [name, measure] of Object.entries(measurements)) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.error(`measuring ${name} …`);
  lines.push(...(await measure()));
}
console.log(markdownTable(lines));
