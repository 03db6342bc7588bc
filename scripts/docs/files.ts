/** The files of the documentation with generated parts. */
import { readFile } from 'node:fs/promises';
import { format } from 'oxfmt';
import { scenarioJsonSchema } from '../../src/language/scenario.js';
import { fillSections } from './markdown.js';
import { sections } from './sections.js';

interface GeneratedFile {
  readonly path: string;
  /** Returns the complete text of the file, formatted. */
  readonly make: () => Promise<string>;
}

/** Hand-written pages with generated sections. */
const pages = ['api', 'assumptions', 'failures', 'scenarios-reference', 'webhooks'];
/** Pages whose tables are also aligned. */
const alignedPages = ['certify', 'configuration'];
const schema = 'scenarios/scenario.schema.json';

export const generatedFiles: readonly GeneratedFile[] = [
  ...[...pages, ...alignedPages].map((page) => ({
    path: `docs/${page}.md`,
    make: async () => {
      const text = fillSections(await readFile(`docs/${page}.md`, 'utf8'), sections);
      return alignedPages.includes(page) ? formatted(`docs/${page}.md`, text) : text;
    },
  })),
  {
    path: schema,
    make: () => formatted(schema, JSON.stringify(scenarioJsonSchema())),
  },
];

async function formatted(path: string, text: string): Promise<string> {
  return (await format(path, text, { printWidth: 120 })).code;
}
