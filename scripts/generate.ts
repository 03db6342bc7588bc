/**
 * Turns the OpenAPI documents (the one source) into what the code reads: JSON beside the types.
 * Output goes to src/generated, which is not committed: it can never disagree with the documents.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';

const documents = [
  { source: 'openapi.yaml', name: 'api' },
  { source: 'src/http/control/openapi.yaml', name: 'control' },
];

await mkdir('src/generated', { recursive: true });
for (const { source, name } of documents) {
  const document = parse(await readFile(source, 'utf8')) as object;
  await writeFile(`src/generated/${name}.json`, JSON.stringify(document));
  const types = await openapiTS(structuredClone(document) as Parameters<typeof openapiTS>[0]);
  await writeFile(
    `src/generated/${name}.ts`,
    `// Made from ${source} by scripts/generate.ts; edit that.\n${astToString(types)}`,
  );
}
