/** How a run ends, and what fails it besides its checks. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { application } from '../support/application.js';
import { runHere } from '../support/cli-here.js';

const dir = mkdtempSync(join(tmpdir(), 'cli-ends-'));
afterAll(() => {
  rmSync(dir, { recursive: true });
});

interface Run {
  readonly passed: boolean;
  readonly ended?: { at: string; because: string; still_due: string[]; calls_after: string[] };
  readonly checks: readonly { readonly passed: boolean; readonly found: string }[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

const sends = `on.call = (_, { to }) => text(to, 'Hi');`;

/** Plays a scenario with an application of this code (see test/stories/app.mjs), or alone if there is none. */
async function play(name: string, yaml: string, code: string | null, ...flags: string[]) {
  const file = join(dir, `${name}.yaml`);
  const xml = join(dir, `${name}.xml`);
  writeFileSync(file, `version: 1\n${yaml}`);
  const app = `"${process.execPath}" test/stories/app.mjs '${(code ?? '').replaceAll("'", `'"'"'`)}'`;
  const served = code === null ? [] : ['--app', app, '--wait-for', 'http://127.0.0.1:{port}/state'];
  const result = await runHere(['scenario', 'run', file, '--json', '--junit', xml, ...served, ...flags]);
  const { runs } = JSON.parse(result.stdout || '{}') as { runs?: Run[] };
  const [run] = runs ?? [];
  if (!run) throw new Error(result.stderr);
  return { exit: result.code, run, junit: readFileSync(xml, 'utf8') };
}

/** A message is sent at +1m, and delivered so much later. */
const calls = `timeline: [{ at: +1m, http: { url: /send, body: { to: '+12025550110' } } }]`;
const reports = (delivered: string, ends: string, start = calls) => `ends: ${ends}
defaults: { window: open }
rules: [{ id: slow, when: message.send, then: { lifecycle: [{ sent: 0s }, { delivered: ${delivered} }] } }]
${start}
expect: [{ at: finish, that: messages, where: { status: delivered }, count: 1 }]
`;

describe('the end of a run', () => {
  it('is the offset in "ends", and names what was still due', async () => {
    const early = await play('early', reports('2h', '+1h'), sends);
    expect(early.run.ended).toMatchObject({ at: '+1h', still_due: ['1 status report'], calls_after: [] });
    expect(early.run.ended?.because).toMatch(/^ends: \+1h, and the application was idle for /);
    expect([early.exit, early.run.passed]).toEqual([1, false]);

    const later = await play('later', reports('2h', '+3h'), sends);
    expect(later.run.ended).toMatchObject({ at: '+3h', still_due: [] });
    expect([later.exit, later.run.passed]).toEqual([0, true]);
  });

  it('comes when nothing has happened for the time in "ends: { quiet }"', async () => {
    const { run, exit } = await play('quiet', reports('8s', '{ quiet: 10s }'), sends);
    expect([exit, run.passed]).toEqual([0, true]);
    expect(run.ended?.because).toMatch(/^nothing happened for 10s/);

    const short = await play('short', reports('2h', '{ quiet: 10s }'), sends);
    expect([short.exit, short.run.ended?.still_due]).toEqual([1, ['1 status report']]);
  });

  it.each([
    ['+1h', false],
    ['+3h', true],
    ['{ quiet: 3h }', true],
    ['{ quiet: 10s }', false],
  ])('is the same after a command: %s', async (ends, passes) => {
    const command = application(`await text('+12025550110');`);
    const yaml = reports('2h', ends, '');
    const { run } = await play('command', yaml, null, '--clock', 'frozen', '--', ...command);
    expect(run).toMatchObject({ exit_code: 0, passed: passes });
  });

  it('is followed by a look at what the application does then', async () => {
    const yaml = `defaults: { window: open }
timeline: [{ at: +1m, inbound: { from: '+12025550110', text: Hi } }]
expect: [{ at: finish, state: { '/look#done': true } }]
`;
    const code = `on.call = async () => { await text('+12025550110', 'Late'); return { done: true }; };`;
    const { run } = await play('after', yaml, code);
    expect(run.ended?.calls_after).toEqual(['POST /v1/messages']);
  });
});

describe('what fails a run besides its checks', () => {
  const idle = `rules: [{ id: never, when: otp.send, then: { lifecycle: blocked } }]
timeline:
  - { at: +1m, inbound: { from: '+12025550110', text: Hi } }
  - { at: +2m, template: { name: unknown, status: paused } }
expect: [{ at: finish, that: messages, count: 1 }]
expect_no_calls: true
`;

  it('warnings with --strict: a rule that never applied, and a step that was skipped', async () => {
    const lenient = await play('lenient', idle, null);
    expect([lenient.exit, lenient.run.passed]).toEqual([0, true]);
    expect(lenient.run.warnings.map(({ code }) => code)).toContain('step_passed_over');
    expect(lenient.junit).toContain('failures="0"');
    expect(lenient.junit).toMatch(/<system-out>.*The step &quot;template&quot; .* was skipped: there is no template/);

    const strict = await play('strict', idle, null, '--strict');
    expect([strict.exit, strict.run.passed]).toEqual([1, false]);
    const failure = /name="there are no warnings"[^]*?<failure message="([^]*?)"/.exec(strict.junit)?.[1];
    expect(failure).toContain('never');
    expect(failure).toContain('was skipped');
  });

  it('nothing with --strict when there is no warning', async () => {
    const clean = idle.replace(/^rules.*\n/, '').replace(/^.*unknown.*\n/m, '');
    const { exit, junit } = await play('clean', clean, null, '--strict');
    expect([exit, junit.includes('there are no warnings')]).toEqual([0, false]);
  });

  it('a check that nothing can match, although it passes', async () => {
    const yaml = `expect: [{ at: finish, that: messages, where: { direction: out }, max: 0 }]
timeline: [{ at: +1m, inbound: { from: '+12025550110', text: Hi } }]
expect_no_calls: true
`;
    const { exit, run, junit } = await play('impossible', yaml, null);
    expect([exit, run.passed, run.checks[0]?.passed]).toEqual([1, false, true]);
    expect(junit).toMatch(/name="something can match expect\[0\][^"]*"[^>]*><failure /);
    expect(junit).toContain('failures="1"');
  });
});

describe('an event that found no endpoint', () => {
  const writes = `timeline: [{ at: +1m, inbound: { from: '+12025550110', text: Hi } }]
expect_no_calls: true
expect: [{ at: finish, that: messages, count: 1 }]
`;

  it('is named, with the reason, in the report and in JUnit', async () => {
    const { run, junit } = await play('deaf', writes, `on.events = ['message.status'];`);
    const sentence =
      /^1 message\.received event found no endpoint \(the first, evt_\w+, at \+1m\): the application registered none/;
    expect(run.warnings).toContainEqual({ code: 'event_unheard', message: expect.stringMatching(sentence) as string });
    expect(junit).toContain('1 message.received event found no endpoint');
  });

  it('is none if the application heard it', async () => {
    const { run } = await play('hears', writes, '');
    expect(run.warnings).toEqual([]);
  });
});
