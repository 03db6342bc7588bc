import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { clientFiles } from '../../scripts/clients/index.js';

it('is committed as it is generated', async () => {
  const files = [...(await clientFiles())];
  expect(files.length).toBe(5);
  const stale = files.filter(([path, text]) => readFileSync(path, 'utf8') !== text).map(([path]) => path);
  expect(stale).toStrictEqual([]);
});
