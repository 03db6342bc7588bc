/** Writes the generated pages, tables and the JSON Schema of scenarios: `npx tsx scripts/docs.ts`. */
import { writeFile } from 'node:fs/promises';
import { generatedFiles } from './docs/files.js';

for (const { path, make } of generatedFiles) await writeFile(path, await make());
