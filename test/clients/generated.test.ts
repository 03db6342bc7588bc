/** What the clients take from the documents is what is committed, and what is written by hand stays small. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clientFiles } from '../../scripts/clients/index.js';

const python = 'clients/python/src/messaging_sandbox';
const byHand = ['__init__', '_async', '_async_connection', '_launch', '_wire', 'pytest_plugin'];

it('is committed as it is generated', async () => {
  const files = [...(await clientFiles())];
  expect(files.length).toBeGreaterThan(5);
  const stale = files.filter(([path, text]) => readFileSync(path, 'utf8') !== text).map(([path]) => path);
  expect(stale).toStrictEqual([]);
});

it('leaves at most 400 lines of the Python client to be written by hand', () => {
  const lines = byHand.flatMap((name) => readFileSync(join(python, `${name}.py`), 'utf8').split('\n'));
  expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(400);
});
