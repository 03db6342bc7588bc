/** All generated files of the documentation, and pages with generated sections. */
import { readFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { scenarioJsonSchema } from '../../src/scenario/language/scenario.js';
import { certifyPage } from './certify.js';
import { cliPage } from './cli.js';
import { configurationPage } from './configuration.js';
import { fillSections } from './markdown.js';
import { sections } from './sections.js';

interface GeneratedFile {
  readonly path: string;
  /** Returns the complete text of the file, formatted. */
  readonly make: () => Promise<string>;
}

/** Hand-written pages with generated tables. */
const pagesWithSections = [
  'docs/api.md',
  'docs/assumptions.md',
  'docs/failures.md',
  'docs/scenarios.md',
  'docs/scenarios-reference.md',
  'docs/webhooks-reference.md',
];
const schema = 'scenarios/scenario.schema.json';

export const generatedFiles: readonly GeneratedFile[] = [
  ...Object.entries({
    'docs/certify.md': certifyPage,
    'docs/cli.md': cliPage,
    'docs/configuration.md': configurationPage,
  }).map(([path, page]) => ({
    path,
    make: async () => format(await page(), { parser: 'markdown', printWidth: 120 }),
  })),
  ...pagesWithSections.map((path) => ({
    path,
    make: async () => fillSections(await readFile(path, 'utf8'), sections),
  })),
  {
    path: schema,
    make: async () =>
      format(JSON.stringify(scenarioJsonSchema()), { ...(await resolveConfig(schema)), filepath: schema }),
  },
];
