/**
 * Applications of different styles, right and with one planted fault each, explored by the command line. All of them only
 * with FUZZ=full: they wait in real time.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { has } from '../support/package.js';
import { isFull } from '../support/property.js';

const dir = mkdtempSync(join(tmpdir(), 'explore-apps-'));
afterAll(() => {
  rmSync(dir, { recursive: true });
});

const server = (name: string, command = `node test/explore/apps/${name}.mjs`) => {
  const app = ['--app', `exec ${command}`, '--wait-for', 'http://127.0.0.1:{port}/livez'];
  return [...app, '--story', `test/explore/apps/${name}.yaml`];
};
const script = (...words: string[]) => ['--', ...words];
const given = (name: string) => ['--scenario', `test/explore/apps/${name}.yaml`];

const apps: readonly (readonly [name: string, how: readonly string[], faults: readonly string[]])[] = [
  [
    'desk',
    server('desk'),
    ['no-dedupe', 'no-signature', 'backwards', 'no-retry', 'blind-retry', 'hammer', 'crash', 'silent'],
  ],
  ['acknowledge', server('acknowledge'), ['blind-retry', 'no-dedupe', 'no-registration-retry']],
  [
    'inbox',
    server('inbox', 'python3 test/explore/apps/inbox.py'),
    ['no-dedupe', 'no-registration-retry', 'no-signature', 'silent'],
  ],
  ['codes', server('codes'), ['wrong-code', 'no-retry']],
  ['campaign', script('node', 'test/explore/apps/campaign.mjs'), ['throws', 'stops', 'no-retry', 'whole-batch-again']],
  ['poller', script('node', 'test/explore/apps/poller.mjs'), ['blind-retry', 'no-retry', 'number-code']],
  ['simple', [...given('simple'), ...script('node', 'test/explore/apps/simple.mjs')], ['gives-up']],
  ['bills', server('bills'), ['blind-retry', 'stops-looking', 'crash']],
  [
    'notices',
    [...given('notices'), '--observe', join(dir, '{key}.log'), ...script('bash', 'test/explore/apps/notices.sh')],
    ['blind-retry', 'gives-up'],
  ],
  [
    'visits',
    ['--clock', 'x3600', ...given('visits'), ...script('node', 'test/explore/apps/visits.mjs')],
    ['blind-retry', 'no-retry', 'backwards'],
  ],
];
interface Report {
  readonly breaks: readonly { readonly file: string; readonly scenario: string }[];
  readonly tried: number;
}
const limit = isFull ? ['--budget', '10m'] : ['--max-runs', '12', '--parallel', '4'];
const often = new Set(['poller', 'simple', 'inbox']);
const hasPython = await has('python3', '--version');
if (!hasPython) process.stderr.write('NOT RUN: exploring an application in Python, because there is no python3\n');
const rows = apps
  .filter(([name]) => hasPython || name !== 'inbox')
  .flatMap(([name, how, faults]) => ['', ...faults].map((fault) => ({ name, how, fault })))
  .filter(({ name, fault }) => isFull || (fault === '' && often.has(name)));

it.each(rows)(
  '$name with the fault "$fault"',
  async ({ name, how, fault }) => {
    const out = join(dir, `${name}-${fault}`);
    const args = ['explore', '--json', '--out', out, ...limit, '--pairs', '0', ...how];
    const { code, stdout } = await runCli(args, { FAULT: fault, LOGS: dir });
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toMatchObject({ code: fault === '' ? 0 : 1 });
    const { breaks, tried } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;
    expect(breaks.length > 0).toBe(fault !== '');
    expect(tried).toBeGreaterThanOrEqual(12);
    const shown = breaks.find(({ scenario }) => scenario.includes('\nexpect:'));
    if (!shown || how.includes('--clock')) return;
    // Its file reproduces it, and the right application passes.
    const play = ['node', inject('cli').main, 'explore', '--play', ...how];
    const command = how.includes('--') ? how.slice(how.indexOf('--')) : script(...play);
    // A file cannot see that an application says so if it gives up, which the right one does and a silent one does not.
    for (const planted of fault === 'silent' ? [fault] : [fault, '']) {
      const again = await runCli(['scenario', 'run', join(out, shown.file), ...command], { FAULT: planted, LOGS: dir });
      expect({ planted, ...again }).toMatchObject({ planted, code: planted === '' ? 0 : 1 });
    }
  },
  1_200_000,
);
