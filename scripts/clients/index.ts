/** Generates the parts of the clients in other languages that follow from the two documents. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenApi } from '../openapi.js';
import { readCatalogue } from './catalogue.js';
import { goTypes } from './go.js';
import { pythonCalls, pythonModels, synchronous } from './python.js';

const python = 'clients/python/src/messaging_sandbox';

/** Returns the generated files by their paths. */
export async function clientFiles(): Promise<ReadonlyMap<string, string>> {
  const [control, api] = await Promise.all(['src/generated/control.json', 'src/generated/api.json'].map(readDocument));
  if (!control || !api) throw new Error('A document is missing.');
  // Python has a class for received values and a dictionary for sent ones; Go has one struct for both.
  const catalogue = readCatalogue(control, api, 'Input');
  const calls = pythonCalls(catalogue);
  return new Map([
    ['clients/go/models.go', goTypes(readCatalogue(control, api, ''))],
    [join(python, 'models.py'), pythonModels(catalogue)],
    [join(python, '_async_calls.py'), calls],
    [join(python, '_sync_calls.py'), synchronous(calls)],
    [join(python, '_sync.py'), synchronous(await readFile(join(python, '_async.py'), 'utf8'))],
    [join(python, '_sync_connection.py'), synchronous(await readFile(join(python, '_async_connection.py'), 'utf8'))],
  ]);
}

/** Does nothing while the image is built, which does not include the clients. */
export async function writeClients(): Promise<void> {
  if (!existsSync('clients')) return;
  for (const [path, text] of await clientFiles()) await writeFile(path, text);
}

async function readDocument(path: string): Promise<OpenApi> {
  return JSON.parse(await readFile(path, 'utf8')) as OpenApi;
}
