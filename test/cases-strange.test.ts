/** The cases of the API plane and of events, of a sandbox whose dialect changes every form. */
import { describe, it } from 'vitest';
import { readCaseFiles } from './support/case-file.js';
import { runCase } from './support/case-runner.js';
import { useCheckedSandbox } from './support/sandbox.js';
import { inOurWords, requestInOurWords, strange } from './support/strange-dialect.js';

const { sandbox } = useCheckedSandbox({ dialect: strange });

type Request = Parameters<typeof requestInOurWords>[0];

function received(text: string): string {
  const page = JSON.parse(text) as { items: Request[] };
  const items = page.items.map(requestInOurWords).map(({ headers, ...request }) => ({
    ...request,
    headers: { ...headers, 'x-service-delivery': 'none' },
  }));
  return JSON.stringify({ ...page, items });
}

const read: typeof inOurWords = (method, path, seen) =>
  /^\/_sandbox\/sink\/\w+\/received/.test(path) && seen.status === 200
    ? { ...seen, text: received(seen.text) }
    : inOurWords(method, path, seen);

describe.each(readCaseFiles('test/cases').map((file) => [`${file.file}: ${file.name}`, file] as const))(
  '%s',
  (_title, file) => {
    const rows = file.cases.map((row, index) => [row.name, row, index] as const);
    it.each(rows)('%s', async (_name, row, index) => {
      const { url, check } = sandbox;
      await runCase({ url, check, read }, `strange-${file.file.replace('.yaml', '')}-${index}`, file, row);
    });
  },
);
