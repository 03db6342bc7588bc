/**
 * Applications of different styles, right and with one planted mistake each, explored by the command line. Most of them only
 * with FUZZ=full: they wait in real time.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { isFull } from '../support/property.js';

const dir = mkdtempSync(join(tmpdir(), 'explore-apps-'));
afterAll(() => {
  rmSync(dir, { recursive: true });
});

const apps = 'test/explore/apps';

interface App {
  readonly name: string;
  readonly how: readonly string[];
  /** The planted mistakes, and the kind of break by which each is found. */
  readonly mistakes: Readonly<Record<string, string>>;
}

const all: readonly App[] = [
  {
    name: 'desk',
    how: [
      ...['--app', `exec node ${apps}/desk.mjs`, '--wait-for', 'http://127.0.0.1:{port}/livez'],
      ...['--story', `${apps}/desk.yaml`],
    ],
    mistakes: {
      'no-dedupe': 'duplicate',
      'no-retry': 'lost',
      'blind-retry': 'duplicate',
      crash: 'application failed',
      forgets: 'state differs',
    },
  },
  // Does its work while a timer waits for the response.
  {
    name: 'rounds',
    how: [
      ...['--restart', '--app', `exec node ${apps}/rounds.mjs`, '--wait-for', 'http://127.0.0.1:{port}/livez'],
      ...['--story', `${apps}/rounds.yaml`],
    ],
    mistakes: { resends: 'duplicate', overlaps: 'duplicate' },
  },
  // Is called five times, and the clock moves between.
  {
    name: 'outbox',
    how: ['--scenario', `${apps}/outbox.yaml`, '--', 'bash', `${apps}/outbox-story.sh`],
    mistakes: { 'ignores-status': 'lost', again: 'duplicate' },
  },
  // Goes on where it was killed.
  {
    name: 'notices',
    how: ['--restart', '--scenario', `${apps}/outbox.yaml`, '--', 'node', `${apps}/notices.mjs`],
    mistakes: { 'saves-last': 'duplicate' },
  },
  // Each of its tests has an account of its own.
  {
    name: 'suite',
    how: ['--', 'node', '--test', `${apps}/suite.mjs`],
    mistakes: { 'no-retry': 'application failed', insists: 'useless calls' },
  },
];
const inShort = new Set([
  'rounds ',
  'rounds resends',
  'rounds overlaps',
  'suite ',
  'outbox ignores-status',
  'notices saves-last',
]);
const rows = all
  .flatMap(({ name, how, mistakes }) =>
    ['', ...Object.keys(mistakes)].map((bug) => ({ name, how, bug, kind: mistakes[bug] })),
  )
  .filter(({ name, bug }) => isFull || inShort.has(`${name} ${bug}`));

interface Report {
  readonly breaks: readonly { readonly kind: string; readonly file: string | null }[];
  readonly tried: number;
}

it.each(rows)(
  '$name with the mistake "$bug"',
  async ({ name, how, bug, kind }) => {
    const out = join(dir, `${name}-${bug}`);
    const time = isFull
      ? ['--budget', '2m']
      : [
          '--budget',
          '2m',
          '--only',
          '*:1/503',
          '--only',
          '*:1/reset-taken',
          '--only',
          '*/restart',
          '--only',
          '*/overlap',
          '--only',
          '*/after-answer',
        ];
    const args = ['explore', '--json', '--out', out, ...time, ...how];
    const { code, stdout, stderr } = await runCli(args, { FAULT: bug, BUG: bug });
    const report = join(out, 'report.json');
    // Without a report, the exploration says why.
    expect(existsSync(report), stderr).toBe(true);
    const { breaks, tried } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    const kinds = breaks.map((one) => one.kind);
    expect({ code, kinds, last: stdout.trimEnd().split('\n').at(-1), stderr }).toMatchObject(
      kind === undefined ? { code: 0, kinds: [] } : { code: 1, kinds: expect.arrayContaining([kind]) as string[] },
    );
    expect(tried).toBeGreaterThanOrEqual(isFull ? 12 : 4);
    // Its file fails it, and the right application passes.
    const found = breaks.find((one) => one.kind === kind);
    if (!found?.file || !how.includes('--')) return;
    const { file } = found;
    for (const planted of [bug, '']) {
      const tmp = mkdtempSync(join(dir, 'tmp-'));
      const again = await runCli(['scenario', 'run', join(out, file), ...how.slice(how.indexOf('--'))], {
        FAULT: planted,
        BUG: planted,
        SANDBOX_TMP: tmp,
      });
      expect({ planted, ...again }).toMatchObject({ planted, code: planted === '' ? 0 : 1 });
    }
  },
  600_000,
);
