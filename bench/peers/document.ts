/** The OpenAPI document that peers are given: ours, word for word but for one line. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

/**
 * Writes it as JSON, which all of them read. `jsonSchemaDialect` is left out: it names the default anyway, and with it
 * Prism accepts every body unjudged, which would flatter it.
 */
export async function writeDocument(dir: string): Promise<string> {
  const document = parse(readFileSync('openapi.yaml', 'utf8')) as Record<string, unknown>;
  delete document['jsonSchemaDialect'];
  const path = join(dir, 'openapi.json');
  await writeFile(path, JSON.stringify(document));
  return path;
}
