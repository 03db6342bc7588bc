/**
 * Applications of different styles, right and with one planted mistake each, explored by the command line. Most of them only
 * with FUZZ=full: they wait in real time.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { has } from '../support/package.js';
import { isFull } from '../support/property.js';

const dir = mkdtempSync(join(tmpdir(), 'explore-apps-'));
afterAll(() => {
  rmSync(dir, { recursive: true });
});

const apps = 'test/explore/apps';
const server = (name: string, command = `node ${apps}/${name}.mjs`) => {
  const app = ['--app', `exec ${command}`, '--wait-for', 'http://127.0.0.1:{port}/livez'];
  return [...app, '--story', `${apps}/${name}.yaml`];
};
const script = (name: string, ...command: string[]) => ['--scenario', `${apps}/${name}.yaml`, '--', ...command];

interface App {
  readonly name: string;
  readonly how: readonly string[];
  /** The planted mistakes, and the kind of break by which each is found. */
  readonly mistakes: Readonly<Record<string, string>>;
}

const all: readonly App[] = [
  {
    name: 'desk',
    how: server('desk'),
    mistakes: { 'no-dedupe': 'duplicate', 'no-retry': 'lost', 'blind-retry': 'duplicate', crash: 'application failed' },
  },
  {
    name: 'inbox',
    how: server('inbox', `python3 ${apps}/inbox.py`),
    mistakes: { 'no-dedupe': 'duplicate', 'no-signature': 'duplicate' },
  },
  { name: 'simple', how: script('simple', 'node', `${apps}/simple.mjs`), mistakes: { 'gives-up': 'lost' } },
  // Is called five times, and the clock moves between.
  {
    name: 'outbox',
    how: script('outbox', 'bash', `${apps}/outbox-story.sh`),
    mistakes: { 'ignores-status': 'lost', again: 'duplicate' },
  },
];
const inShort = new Set(['outbox ', 'outbox ignores-status']);
const hasPython = await has('python3', '--version');
if (!hasPython) process.stderr.write('NOT RUN: exploring an application in Python, because there is no python3\n');
const rows = all
  .filter(({ name }) => hasPython || name !== 'inbox')
  .flatMap(({ name, how, mistakes }) =>
    ['', ...Object.keys(mistakes)].map((bug) => ({ name, how, bug, kind: mistakes[bug] })),
  )
  .filter(({ name, bug }) => isFull || inShort.has(`${name} ${bug}`));

interface Report {
  readonly breaks: readonly { readonly kind: string; readonly file: string }[];
  readonly tried: number;
}

it.each(rows)(
  '$name with the mistake "$bug"',
  async ({ name, how, bug, kind }) => {
    const out = join(dir, `${name}-${bug}`);
    const time = isFull ? ['--budget', '2m'] : ['--budget', '60s', '--only', '*:1/503', '--only', '*:1/reset-taken'];
    const args = ['explore', '--json', '--out', out, ...time, ...how];
    const { code, stdout, stderr } = await runCli(args, { FAULT: bug, BUG: bug });
    const { breaks, tried } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;
    const kinds = breaks.map((one) => one.kind);
    expect({ code, kinds, last: stdout.trimEnd().split('\n').at(-1), stderr }).toMatchObject(
      kind === undefined ? { code: 0, kinds: [] } : { code: 1, kinds: expect.arrayContaining([kind]) as string[] },
    );
    expect(tried).toBeGreaterThanOrEqual(isFull ? 12 : 6);
    // Its file fails it, and the right application passes.
    const found = breaks.find((one) => one.kind === kind);
    if (!found || !how.includes('--')) return;
    for (const planted of [bug, '']) {
      const tmp = mkdtempSync(join(dir, 'tmp-'));
      const again = await runCli(['scenario', 'run', join(out, found.file), ...how.slice(how.indexOf('--'))], {
        FAULT: planted,
        BUG: planted,
        SANDBOX_TMP: tmp,
      });
      expect({ planted, ...again }).toMatchObject({ planted, code: planted === '' ? 0 : 1 });
    }
  },
  600_000,
);
