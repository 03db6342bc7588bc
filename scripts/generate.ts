/**
 * Generates code from the OpenAPI documents and the scenario language: JSON, types, and compiled schemas. The output is
 * in src/generated, which is not committed, so it always matches the documents. The generated parts of the clients in
 * other languages are committed, because they are installed from the repository.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { parse } from 'yaml';
import { defaultDialect, dialectDocument } from '../src/dialect/index.js';
import { writeClients } from './clients/index.js';
import { compileValidators } from './compile-validators.js';
import type { OpenApi } from './openapi.js';
import { scenarioTypes } from './scenario-types.js';

/** Includes each success status that the default dialect does not have. */
const otherDialect = {
  ...defaultDialect,
  http: { created: 201, deleted: 200 },
  templates: { echo_buttons: true },
} as const;

const documents = [
  { source: 'openapi.yaml', name: 'api' },
  { source: 'src/http/control/openapi.yaml', name: 'control' },
];

await mkdir('src/generated', { recursive: true });
for (const { source, name } of documents) {
  const document = parse(await readFile(source, 'utf8')) as OpenApi & OpenAPI3;
  await writeFile(`src/generated/${name}.json`, JSON.stringify(document));
  const types = await openapiTS(structuredClone(document));
  await writeFile(
    `src/generated/${name}.ts`,
    `// Made from ${source} by scripts/generate.ts; edit that.\n${astToString(types)}`,
  );
  const other = name === 'api' ? dialectDocument(document, otherDialect) : document;
  await writeFile(`src/generated/${name}-validators.js`, await compileValidators(structuredClone(document), other));
  await writeFile(
    `src/generated/${name}-validators.d.ts`,
    "import type { CompiledOperations } from '../http/validation/openapi-validator.js';\nexport const operations: CompiledOperations;\n",
  );
}
await writeFile(
  'src/generated/scenario.ts',
  `// Made from the reader of scenario files by scripts/generate.ts; edit that.\n${await scenarioTypes()}`,
);
await writeClients();
