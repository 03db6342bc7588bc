/** A sandbox with a strange dialect is the real service: what its traffic teaches makes another sandbox speak alike. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Dialect, defaultDialect, dialectOf, parseDialect } from '../src/dialect/index.js';
import { readCapture } from '../src/parity/capture.js';
import { compareWith, learnFrom } from '../src/parity/run.js';
import { cases } from './support/property.js';
import { chanceFile, changes } from './support/chance-dialects.js';
import { record } from './support/parity-traffic.js';
import { startTestSandbox } from './support/sandbox.js';
import { strange, strangeFile } from './support/strange-dialect.js';

async function captured(dialect: Dialect) {
  const sandbox = await startTestSandbox({ dialect });
  try {
    const { har, hooks } = await record(sandbox);
    return readCapture([
      { name: 'calls.har', bytes: Buffer.from(har) },
      { name: 'hooks.ndjson', bytes: Buffer.from(hooks) },
    ]);
  } finally {
    await sandbox.close();
  }
}

/** Captured and learnt once for all tests of this file. */
let once: Promise<Awaited<ReturnType<typeof learntOf>>> | undefined;
const ofStrange = () => (once ??= learntOf(strange));

async function learntOf(dialect: Dialect) {
  const capture = await captured(dialect);
  return { capture, ...(await learnFrom(capture)) };
}

async function fileWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parity-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'dialect.yaml');
  await writeFile(path, text);
  return path;
}

it('finds nothing to learn, and no difference, in traffic of the default dialect', async () => {
  const { capture, text, findings } = await learntOf(defaultDialect);
  expect(findings.filter(({ result }) => result === 'set' || result === 'differs')).toEqual([]);
  expect(parseDialect(text, 'd.yaml')).toEqual(defaultDialect);
  expect((await compareWith(capture)).differences).toEqual([]);
});

it('learns a strange dialect, with which nothing differs', async () => {
  const { capture, text, findings } = await ofStrange();
  expect(findings.filter(({ result }) => result === 'differs')).toEqual([]);
  const file = await fileWith(text);
  const { compared, differences } = await compareWith(capture, file);
  expect(differences).toEqual([]);
  expect(compared).toBeGreaterThan(30);
});

describe('dialects made by chance, twelve with FUZZ=full', () => {
  const files = fc.sample(chanceFile, { numRuns: cases(12), seed: 46 });
  const planted = Object.entries(changes);
  it.each(files.map((file, index) => [index, file] as const))(
    '%i is learnt, and a planted change is found',
    async (index, file) => {
      const { capture, text, findings } = await learntOf(dialectOf(file));
      expect(findings.filter(({ result }) => result === 'differs')).toEqual([]);
      const learnt = await fileWith(text);
      expect((await compareWith(capture, learnt)).differences).toEqual([]);
      const [, change] = planted[index % planted.length]!;
      const changed = await captured(dialectOf(change(file)));
      expect((await compareWith(changed, learnt)).differences).not.toEqual([]);
    },
  );
});

it.each(Object.entries(changes))('finds a change of %s', async (_name, change) => {
  const capture = await captured(dialectOf(change(strangeFile)));
  const { text } = await ofStrange();
  expect((await compareWith(capture, await fileWith(text))).differences).not.toEqual([]);
});

it('writes no key, number, text or id of the capture', async () => {
  const { text, findings } = await ofStrange();
  const written = text + JSON.stringify(findings);
  for (const secret of [
    'key_of_the_shop',
    '+1202',
    'Ada',
    'Where is',
    'order_shipped',
    'whsec_',
    'sink.sandbox',
    'tenant',
  ])
    expect(written).not.toContain(secret);
  expect(written).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|evt_/);
});
