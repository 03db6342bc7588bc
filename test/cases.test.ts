import { describe, expect, it } from 'vitest';
import { readCaseFiles } from './support/case-file.js';
import { runCase } from './support/case-runner.js';
import { useCheckedSandbox } from './support/sandbox.js';

const files = readCaseFiles('test/cases');

const { sandbox } = useCheckedSandbox();

it('has the rows that the contract asks for', () => {
  expect(files.flatMap((file) => file.cases).length).toBeGreaterThanOrEqual(170);
});

describe.each(files.map((file) => [`${file.file}: ${file.name}`, file] as const))('%s', (_title, file) => {
  const rows = file.cases.map((row, index) => [row.name, row, index] as const);
  it.each(rows)('%s', async (_name, row, index) => {
    await runCase(sandbox, `case-${file.file.replace('.yaml', '')}-${index}`, file, row);
  });
});
