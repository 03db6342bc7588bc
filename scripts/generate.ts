/**
 * Generates code from the OpenAPI documents and the scenario language: JSON, types, and compiled schemas. The output is
 * in src/generated, which is not committed, so it always matches the documents.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { parse } from 'yaml';
import { dialectDocument } from '../src/dialect/document.js';
import { dialectOf } from '../src/dialect/index.js';
import { compileValidators } from './compile-validators.js';
import { controlDocument } from './control-document.js';
import type { OpenApi } from './openapi.js';
import { requestsDocument } from './requests-document.js';
import { scenarioTypes } from './scenario-types.js';

/** Includes the success status that the default dialect does not have. */
const otherDialect = dialectOf({ http: { created: 201 } });

const documents = [
  { source: 'openapi.yaml', name: 'api' },
  { source: 'src/http/control/openapi.yaml', name: 'control' },
];

await mkdir('src/generated', { recursive: true });
const [api, short] = await Promise.all(
  documents.map(
    async ({ source }) =>
      parse(await readFile(source, 'utf8'), { maxAliasCount: -1, merge: true }) as OpenApi & OpenAPI3,
  ),
);
if (!api || !short) throw new Error('a document is missing');
const control = controlDocument(short);
await writeFile('src/generated/requests.json', JSON.stringify(requestsDocument(api, control)));
for (const { source, name } of documents) {
  const document = name === 'api' ? api : control;
  await writeFile(`src/generated/${name}.json`, JSON.stringify(document));
  const types = await openapiTS(structuredClone(document));
  await writeFile(
    `src/generated/${name}.ts`,
    `// Made from ${source} by scripts/generate.ts; edit that.\n${astToString(types)}`,
  );
  const other = name === 'api' ? dialectDocument(document, otherDialect) : null;
  await writeFile(`src/generated/${name}-validators.js`, await compileValidators(structuredClone(document), other));
  await writeFile(
    `src/generated/${name}-validators.d.ts`,
    "import type { CompiledOperations } from '../http/validation/request-validator.js';\nexport const operations: CompiledOperations;\n",
  );
}
await writeFile(
  'src/generated/scenario.ts',
  `// Made from the reader of scenario files by scripts/generate.ts; edit that.\n${await scenarioTypes()}`,
);
