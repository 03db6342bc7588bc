/** A sandbox with a strange dialect is the real service: what its traffic teaches makes another sandbox speak alike. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parity-'));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
async function fileWith(text: string): Promise<string> {
  const path = join(folder, `${(files += 1)}.yaml`);
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
  const made = fc.sample(chanceFile, { numRuns: cases(12), seed: 46 });
  const planted = Object.entries(changes);
  it.each(made.map((file, index) => [index, file] as const))(
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

describe('a change', () => {
  /** What shows each change, as operation or event and place. */
  const shown: Readonly<Record<string, string>> = {
    'http.created': 'createWebhook status',
    'http.deleted': 'deleteWebhook body.gone',
    'errors.shape': 'getMessage body.added',
    'errors.status': 'verifyOtp status',
    'errors.codes': 'getMessage body.error_code',
    'webhooks.headers': 'template.status header x-other-id',
    'events.message.received': 'message.received body.payload[0].added',
    'events.message.status': 'message.status body.payload[0].added',
    'events.otp.verified': 'otp.verified body.payload[0].added',
    'events.template.status': 'template.status body.payload[0].added',
    'shapes.message.error': 'getMessage body.error.added',
    'shapes.batch.failed': 'sendMessage body.results[1].added',
    'shapes.webhooks.item': 'listWebhooks body[0].added',
    'shapes.webhooks.list': 'listWebhooks body',
    'shapes.ids.timestamp': 'getTemplate body.created_at',
  };
  let found: readonly (readonly string[])[];
  // A list of another shape hides what its items are, so it is changed apart from them.
  beforeAll(async () => {
    const { text } = await ofStrange();
    const list = Object.keys(changes).filter((name) => name === 'shapes.webhooks.list');
    const others = Object.keys(changes).filter((name) => name !== 'shapes.webhooks.list');
    found = await Promise.all(
      [list, others].map(async (names) => {
        const file = names.reduce((changed, name) => changes[name]!(changed), strangeFile);
        const learnt = await fileWith(text);
        const { differences } = await compareWith(await captured(dialectOf(file)), learnt);
        return differences.map(({ what, at }) => `${what} ${at}`);
      }),
    );
  });

  it.each(Object.keys(changes))('of %s is found', (name) => {
    expect(found[name === 'shapes.webhooks.list' ? 0 : 1]).toContain(shown[name]);
  });
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
