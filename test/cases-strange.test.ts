/** The cases of the API plane and of events, of a sandbox whose dialect changes every form. */
import { describe, it } from 'vitest';
import { readCaseFiles } from './support/case-file.js';
import { runCase } from './support/case-runner.js';
import { useCheckedSandbox } from './support/sandbox.js';
import { eventInOurWords, inOurWords, strange } from './support/strange-dialect.js';

const { sandbox } = useCheckedSandbox({ dialect: strange });

/** What a receiver got, in our words. */
interface Received {
  readonly headers: Record<string, string | undefined>;
  readonly body: string;
}

const names = { 'x-event-type': 'x-service-event', 'x-event-id': 'x-service-event-id', 'x-try': 'x-service-attempt' };

function received(text: string): string {
  const page = JSON.parse(text) as { items: Received[] };
  const items = page.items.map(({ headers, body, ...request }) => ({
    ...request,
    headers: {
      ...headers,
      ...Object.fromEntries(Object.entries(names).map(([theirs, own]) => [own, headers[theirs]])),
      // The dialect has no such header.
      'x-service-delivery': 'none',
    },
    body: body.startsWith('{"event"') ? eventInOurWords(body) : body,
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
