/** Fills the generated sections of README.md and docs/scenarios.md in place: `npx tsx scripts/scenario-docs.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fillSections } from './scenario-docs/markdown.js';
import { sections } from './scenario-docs/tables.js';

for (const path of ['README.md', 'docs/scenarios.md']) {
  writeFileSync(path, fillSections(readFileSync(path, 'utf8'), sections));
}
