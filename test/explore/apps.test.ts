/** Applications of different styles, right and with one planted fault each, explored by the command line: FUZZ=full only. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { runCli } from '../support/cli.js';

const dir = mkdtempSync(join(tmpdir(), 'explore-apps-'));
afterAll(() => {
  rmSync(dir, { recursive: true });
});

const server = (program: string, name: string) => {
  const [file] = [`test/explore/apps/${name}.${program === 'node' ? 'mjs' : 'py'}`];
  const app = ['--app', `exec ${program} ${file}`, '--wait-for', 'http://127.0.0.1:{port}/livez'];
  return [...app, '--story', `test/explore/apps/${name}.yaml`];
};
const script = (...words: string[]) => ['--', ...words];
const given = (name: string) => ['--scenario', `test/explore/apps/${name}.yaml`];

const apps: readonly (readonly [name: string, how: readonly string[], faults: readonly string[]])[] = [
  [
    'desk',
    server('node', 'desk'),
    ['no-dedupe', 'no-signature', 'backwards', 'no-retry', 'blind-retry', 'hammer', 'crash', 'silent'],
  ],
  ['acknowledge', server('node', 'acknowledge'), ['blind-retry', 'no-dedupe', 'no-registration-retry']],
  ['inbox', server('python3', 'inbox'), ['no-dedupe', 'no-registration-retry', 'no-signature', 'silent']],
  ['codes', server('node', 'codes'), ['wrong-code', 'no-retry']],
  ['campaign', script('node', 'test/explore/apps/campaign.mjs'), ['throws', 'stops', 'no-retry', 'whole-batch-again']],
  ['login', script('python3', 'test/explore/apps/login.py'), ['no-retry', 'number-code']],
  ['simple', [...given('simple'), ...script('node', 'test/explore/apps/simple.mjs')], ['gives-up']],
  ['bills', server('node', 'bills'), ['blind-retry', 'stops-looking', 'crash']],
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
interface Found {
  readonly file: string;
  readonly scenario: string;
}
const rows = apps.flatMap(([name, how, faults]) => ['', ...faults].map((fault) => ({ name, how, fault })));

it.runIf(process.env['FUZZ'] === 'full').each(rows)(
  '$name with the fault "$fault"',
  async ({ name, how, fault }) => {
    const out = join(dir, `${name}-${fault}`);
    const args = ['explore', '--json', '--out', out, '--budget', '10m', '--pairs', '0', ...how];
    const { code, stdout } = await runCli(args, { FAULT: fault, LOGS: dir });
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toMatchObject({ code: fault === '' ? 0 : 1 });
    const { breaks } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as { breaks: Found[] };
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
