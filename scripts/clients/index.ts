/** Generates the parts of the clients in other languages that follow from the documents. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenApi } from '../openapi.js';
import { goTypes } from './go.js';
import { readModels } from './models.js';
import { pythonModels, synchronous } from './python.js';

const python = 'clients/python/src/messaging_sandbox';
/** The modules of the asynchronous client that have a synchronous twin. */
const twins = ['', '_connection', '_controls'];

/** Returns the generated files by their paths. */
export async function clientFiles(): Promise<ReadonlyMap<string, string>> {
  const [control, api] = await Promise.all(['src/generated/control.json', 'src/generated/api.json'].map(readDocument));
  if (!control || !api) throw new Error('A document is missing.');
  const files = new Map([
    // Python has a class for received values and a dictionary for sent ones; Go has one struct for both.
    ['clients/go/models.go', goTypes(readModels(control, api, ''))],
    [join(python, 'models.py'), pythonModels(readModels(control, api, 'Input'))],
  ]);
  for (const twin of twins) {
    files.set(join(python, `_sync${twin}.py`), synchronous(await readFile(join(python, `_async${twin}.py`), 'utf8')));
  }
  return files;
}

/** Does nothing while the image is built, which does not include the clients. */
export async function writeClients(): Promise<void> {
  if (!existsSync('clients')) return;
  for (const [path, text] of await clientFiles()) await writeFile(path, text);
}

async function readDocument(path: string): Promise<OpenApi> {
  return JSON.parse(await readFile(path, 'utf8')) as OpenApi;
}
