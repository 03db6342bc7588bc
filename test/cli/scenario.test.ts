import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { application } from '../support/application.js';
import { interruptCli, runCli, startCli } from '../support/cli.js';
import type { CliServer } from '../support/built-cli.js';
import { runHere } from '../support/cli-here.js';

const dir = mkdtempSync(join(tmpdir(), 'cli-scenario-'));
afterAll(() => {
  rmSync(dir, { recursive: true });
});

/** Writes a scenario file and returns its path. */
function scenario(name: string, text: string): string {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
}

const answersIn = scenario(
  'answers.yaml',
  `version: 1
given:
  customers: [{ phone: '+12025550150' }]
rules:
  - id: slow-lookup
    when: message.get
    then: { respond: { latency_real: 1ms } }
timeline:
  - { at: +5m, inbound: { phone: '+12025550150', text: Hello? } }
expect:
  - { at: +6m, that: events, where: { type: message.received }, count: 1 }
  - { at: finish, that: messages, where: { direction: outbound }, min: 1, because: Somebody answers. }
`,
);
const broken = scenario('broken.yaml', 'version: 1\nrules:\n  - when: message.sent\n    then: {}\nexpext: []\n');
const odd = scenario('odd.yaml', 'version: 1\ngiven: { customers: [{ phone: "+4915112345678" }] }\n');
const worse = scenario('worse.yaml', readFileSync(odd, 'utf8').replace('version: 1', 'version: 2'));
const problemAndWarning =
  /worse\.yaml:1:10: [\s\S]+\n\nalso, 1 warning\n\n\S+worse\.yaml:2:\d+: .+may be a real phone number/;
const extending = scenario('extending.yaml', 'version: 1\nextends: [answers.yaml]\n');
const circle = scenario('circle.yaml', 'version: 1\nextends: [circle]\n');

describe('scenario check', () => {
  it('calls the shipped ones fine, by name or path', async () => {
    const { code, stdout, stderr } = await runHere(['scenario', 'check', 'happy-path', 'scenarios/flaky-api.yaml']);
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/happy-path\.yaml: fine\nscenarios\/flaky-api\.yaml: fine\n$/);
  });

  it('lists all problems of all files, each with place, frame, allowed words and the corrected line', async () => {
    const { code, stdout } = await runHere(['scenario', 'check', answersIn, broken, circle]);
    expect(code).toBe(2);
    expect(stdout).toContain(`${answersIn}: fine\n`);
    expect(stdout).toMatch(/broken\.yaml: \d+ problems\n/);
    expect(stdout).toContain(`${broken}:3:11:`);
    expect(stdout).toContain('> 3 |   - when: message.sent');
    expect(stdout).toMatch(/meant: +message\.send\n/);
    expect(stdout).toMatch(/write: +- when: message\.send\n/);
    expect(stdout).toContain(`${broken}:5:1:`);
    expect(stdout).toContain(`${circle}:2:11: Scenarios extend each other in a cycle: `);
  });

  it('checks the other files if one does not exist or is a folder, and says what to give', async () => {
    const files = [answersIn, 'missing.yaml', 'scenarios/', 'happy-path'];
    const { code, stdout } = await runHere(['scenario', 'check', ...files]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/answers\.yaml: fine\nmissing\.yaml: 1 problem\n[\s\S]+happy-path\.yaml: fine\n$/);
    expect(stdout).toContain('There is no scenario "missing.yaml". Give the path of a file, or one of: ');
    expect(stdout).toContain('"scenarios/" is a folder. Give the paths of the files in it: scenarios/*.yaml.');
    const json = JSON.parse((await runHere(['scenario', 'check', '--json', ...files])).stdout) as {
      files: { valid: boolean; problems: { code: string }[] }[];
    };
    expect(json.files.map(({ valid }) => valid)).toEqual([true, false, false, true]);
    expect(json.files[1]?.problems).toMatchObject([{ code: 'no_such_file', file: 'missing.yaml' }]);
  });

  it('shows warnings and still says 0', async () => {
    const both = await runHere(['scenario', 'check', worse]);
    expect(both.code).toBe(2);
    expect(both.stdout).toMatch(/: 1 problem\n/);
    expect(both.stdout).toMatch(problemAndWarning);
    const { code, stdout } = await runHere(['scenario', 'check', odd]);
    expect(code).toBe(0);
    expect(stdout).toContain(`${odd}: fine, with 1 warning`);
    expect(stdout).toContain('may be a real phone number');
  });

  it('finds what a file extends beside it', async () => {
    const { code, stdout } = await runHere(['scenario', 'check', '--json', extending]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toStrictEqual({
      valid: true,
      files: [{ file: extending, name: 'extending', valid: true, problems: [], warnings: [] }],
    });
  });
});

describe('schema', () => {
  it('prints the schema that is shipped', async () => {
    const { code, stdout } = await runHere(['schema']);
    expect(code).toBe(0);
    const schema = JSON.parse(stdout) as { $schema: string };
    expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#');
    expect(schema).toStrictEqual(JSON.parse(readFileSync('scenarios/scenario.schema.json', 'utf8')));
  });
});

describe('in a running sandbox', () => {
  let server: CliServer;
  beforeAll(async () => {
    server = await startCli(['--clock', 'frozen', '--log-level', 'error', '--scenario', extending]);
  });
  afterAll(() => server.stop());
  const client = (...args: string[]) =>
    runHere(['scenario', ...args], { MESSAGING_BASE_URL: server.url, MESSAGING_API_KEY: 'cli' });
  const active = async () => {
    const headers = { authorization: 'Bearer cli' };
    const answer = await fetch(`${server.url}/_sandbox/scenario`, { headers });
    return ((await answer.json()) as { name: string | null }).name;
  };

  it('list shows what is known, and use activates one', async () => {
    expect(await client('use', 'recipient-blocked')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^recipient-blocked is active: \d+ rules?, \d+ expectations?\n$/) as string,
    });
    const { code, stdout } = await client('list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\* recipient-blocked +\S/m);
    expect(stdout).toMatch(/^ {2}happy-path +Nothing fails/m);
    expect(stdout).toMatch(/^ {2}extending$/m);
    const { items } = JSON.parse((await client('list', '--json')).stdout) as { items: { name: string }[] };
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(['extending', 'webhook-chaos']));
    expect(items.length).toBeGreaterThanOrEqual(13);
  });

  it('use sends a file, and shows its warnings', async () => {
    const { code, stdout } = await client('use', odd);
    expect(code).toBe(0);
    expect(stdout).toContain('is active: 0 rules, 0 expectations');
    expect(stdout).toContain(`${odd}:2:`);
    expect(stdout).toContain('may be a real phone number');
    const shadowed = scenario(
      'shadowed.yaml',
      'version: 1\nrules:\n  - { when: otp.send, then: { otp: { attempts: 1 } } }\n  - { when: otp.send, then: { otp: { attempts: 2 } } }\n',
    );
    expect((await client('use', shadowed)).stdout).toContain(`rule rules[0] (${shadowed}:3) comes first`);
    expect(JSON.parse((await client('use', answersIn, '--json')).stdout)).toMatchObject({
      source: readFileSync(answersIn, 'utf8'),
      rules: [{ id: 'slow-lookup' }],
    });
  });

  it('use shows the problems of a file in its places, and the active one stays', async () => {
    await client('use', 'slow-review');
    const { code, stdout, stderr } = await client('use', broken);
    expect({ code, stdout }).toStrictEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('the active one stays');
    expect(stderr).toContain(`${broken}:3:11:`);
    expect(stderr).toContain('> 3 |   - when: message.sent');
    expect(await active()).toBe('slow-review');
  });

  it('use names the known scenario that was meant, and a file that is not there', async () => {
    expect(await client('use', 'hapy-path')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Did you mean "happy-path"?') as string,
    });
    expect(await client('use', './none.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no file "./none.yaml"') as string,
    });
  });
});

it.each([[['scenario', 'run', worse]], [['start', '--port', '0', '--scenario', worse]]])(
  'a faulty file is shown with its warnings by %j',
  async (args) => {
    expect(await runHere(args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(problemAndWarning) as string,
    });
  },
);

describe('scenario run', () => {
  const answers = application("await text('+12025550150', 'Hi');");

  it('plays the timeline to its end and prints what failed, with rules that never applied', async () => {
    const { code, stdout, stderr } = await runHere(['scenario', 'run', answersIn]);
    expect({ code, stderr }).toStrictEqual({ code: 1, stderr: '' });
    expect(stdout).toContain(`${answersIn}: failed, 1 of 2 checks; no application takes part: add "-- CMD…", `);
    expect(stdout).toContain('  ✓ at +6m: events where {"type":"message.received"}: exactly 1\n');
    expect(stdout).toMatch(
      / {2}✗ at finish: Somebody answers\. \(messages where .*\)\n {6}expected: at least 1\n {6}found: {4}0 messages\n/,
    );
    expect(stdout).toContain(`${answersIn}:5:1: Rule slow-lookup never applied`);
  });

  it('keeps what an author wrote on one line, and away from the terminal', async () => {
    const file = scenario(
      'loud.yaml',
      'version: 1\nexpect:\n  - at: finish\n    that: requests\n    min: 1\n    because: "first\\n second \\e[31m\\a "\n',
    );
    const { stdout } = await runHere(['scenario', 'run', file]);
    expect(stdout).toContain('  ✗ at finish: first second ·[31m· (requests)\n      expected: at least 1\n');
  });

  it('runs a command with all it needs, and judges what it did', async () => {
    const code = `
      const { MESSAGING_BASE_URL, MESSAGING_API_KEY } = process.env;
      const { mode } = await call('GET', '/_sandbox/clock');
      if (MESSAGING_BASE_URL !== base || MESSAGING_API_KEY !== key || mode !== 'frozen') throw new Error(mode);
      await call('PUT', '/_sandbox/customers/+12025550150/window', { open: true });
      const { message_id } = await text('+12025550150');
      await call('GET', '/v1/messages/' + message_id);
      console.log('sent ' + message_id);`;
    const { stdout, ...rest } = await runCli(['scenario', 'run', answersIn, extending, '--', ...application(code)]);
    expect(rest).toStrictEqual({ code: 0, stderr: '' });
    expect(stdout.match(/^sent \S+$/gm)).toHaveLength(2);
    expect(stdout).toContain(`${answersIn}: passed, 2 checks\n`);
    expect(stdout).toContain(`${extending}: passed, 2 checks\n`);
    expect(stdout).not.toContain('never applied');
  });

  it('lets the command come at the time of the scenario, whatever clock it asks for, and reach its endpoints', async () => {
    const path = scenario(
      'on-time.yaml',
      `version: 1
clock: '2026-03-01T09:00:00Z'
given:
  webhooks: [{ alias: my-app, url: 'https://sink.sandbox/app', events: [message.received], secret: whsec_fixed }]
expect:
  - { at: finish, that: attempts, where: { alias: my-app }, has: { status: 2xx } }
`,
    );
    const code = `
      console.error(JSON.stringify([(await call('GET', '/_sandbox/clock')).now, process.env.MESSAGING_WEBHOOK_SECRET_MY_APP]));
      await call('POST', '/_sandbox/inbound', { from: '+12025550150' });`;
    const { stderr, ...rest } = await runCli(['scenario', 'run', path, '--', ...application(code)]);
    expect(rest).toStrictEqual({ code: 0, stdout: expect.stringContaining('passed, 1 check\n') as string });
    // Time passes from the first call on, so the call that reads the clock may see its first moments.
    expect(JSON.parse(stderr)).toStrictEqual([expect.stringMatching(/^2026-03-01T09:00:0/), 'whsec_fixed']);
  });

  it('tells which steps of the timeline could not be made', async () => {
    const path = scenario(
      'ghost.yaml',
      'version: 1\nexpect_no_calls: true\nclock: 2026-03-01T09:00:00Z\ntimeline: [{ at: +3d, template: { name: ghost, status: paused } }]\n',
    );
    const sentence =
      'The step "template" of the timeline at 2026-03-04T09:00:00.000Z was skipped: there is no template "ghost".';
    const { code, stdout, stderr } = await runHere(['scenario', 'run', path]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`  ! ${sentence}\n`)]);
    expect(stderr).toContain(sentence);
    const json = await runHere(['scenario', 'run', path, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      runs: [{ warnings: [{ code: 'step_passed_over', message: sentence }] }],
    });
  });

  it('warns as check does, as exec does, too', async () => {
    const path = scenario(
      'offer.yaml',
      'version: 1\nexpect_no_calls: true\ngiven: { templates: [{ name: offer, category: utility, language: en, body: Hi }] }\nexpect: [{ at: finish, that: messages, where: { template: ofer }, count: 0 }]\n',
    );
    const warning = `${path}:4:59: given.templates has no "ofer"`;
    expect((await runHere(['scenario', 'check', path])).stdout).toContain(warning);
    const { code, stdout } = await runHere(['scenario', 'run', path]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(warning)]);
    expect(await runHere(['scenario', 'run', path, '--strict'])).toMatchObject({ code: 1 });
    const json = await runHere(['scenario', 'run', path, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ passed: true, runs: [{ warnings: [{ line: 4 }] }] });
    const { stderr } = await runHere(['exec', '--scenario', path, '--', process.execPath, '-e', '0']);
    expect(stderr).toContain(warning);
  });

  it('fails when the application made no call, unless the scenario expects that', async () => {
    const expected = 'expect:\n  - { at: finish, that: messages, max: 0 }\n';
    const path = scenario('silent.yaml', `version: 1\n${expected}`);
    const { code, stdout } = await runHere(['scenario', 'run', path]);
    expect(code).toBe(1);
    expect(stdout).toContain(
      `${path}: failed: the application made no call; no application takes part: add "-- CMD…", or --app with the command that starts it\n  ✗ The application made no call and `,
    );
    const json = await runHere(['scenario', 'run', path, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      passed: false,
      runs: [{ reason: 'no_calls', checks: [{ passed: true }] }],
    });
    const junit = await runHere(['scenario', 'run', path, '--junit']);
    expect(junit.stdout).toContain(
      'name="the application makes calls" time="0.000"><failure message="The application made no call',
    );
    const meant = scenario('meant.yaml', `version: 1\nexpect_no_calls: true\n${expected}`);
    expect(await runHere(['scenario', 'run', meant])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('passed, 1 check\n') as string,
    });
  });

  it('fails when the command does, although every check passed', async () => {
    const path = scenario('nothing.yaml', 'version: 1\nexpect_no_calls: true\n');
    const { code, stdout } = await runHere(['scenario', 'run', path, '--', process.execPath, '-e', 'process.exit(7)']);
    expect(code).toBe(1);
    expect(stdout).toContain('failed (verdict: passed, but there are no expectations); the command ended with 7\n');
  });

  it('judges a scenario that the command resets', async () => {
    const code =
      "await call('POST', '/_sandbox/reset'); await call('POST', '/_sandbox/inbound', { from: '+12025550150' });";
    const command = application(`${code} await text('+12025550150');`);
    const { stdout } = await runHere(['scenario', 'run', answersIn, '--', ...command]);
    expect(stdout).toContain('✗ at +6m');
    expect(stdout).toContain('found:    2 events');
    expect(stdout).toContain('✓ at finish');
  });

  it('says so when the command removed the scenario', async () => {
    const code = "await call('DELETE', '/_sandbox/scenario');";
    const { code: exit, stdout } = await runHere(['scenario', 'run', answersIn, '--', ...application(code)]);
    expect(exit).toBe(1);
    expect(stdout).toContain('removed the scenario');
  });

  it('keeps the sandbox of a run that failed, with links to the records', async () => {
    const path = scenario(
      'red.yaml',
      'version: 1\nexpect_no_calls: true\ntimeline: [{ at: +5m, inbound: { phone: "+12025550150", text: Hola } }]\nexpect: [{ at: finish, that: messages, max: 0 }]\n',
    );
    let page = '';
    const { code, stdout } = await interruptCli(
      ['scenario', 'run', path, path, '--keep'],
      /kept until Ctrl-C: (http:\S+)\/_sandbox\/ui\n/,
      async ([, url]) => {
        page = `${url}/_sandbox/ui`;
        const { items } = (await (await fetch(`${url}/_sandbox/messages?direction=inbound`)).json()) as {
          items: object[];
        };
        expect(items).toMatchObject([{ text: 'Hola' }]);
      },
    );
    expect([code, stdout.match(/red\.yaml: failed/g)?.length]).toEqual([1, 1]);
    expect(stdout).toContain(
      `found:    1 message\n      records:  inbound text from +12025550150 at +5m: "Hola"\n                ${page}#/test_default/messages/`,
    );
  });

  it('writes JSON and JUnit; the output of the command goes to stderr then', async () => {
    const junit = join(dir, 'deep/er/verdict.xml');
    const code = "if (process.env.CHATTY) console.log('chatty'); await call('GET', '/v1/templates');";
    const command = ['--', ...application(code)];
    const json = await runCli(['scenario', 'run', answersIn, '--json', '--junit', junit, ...command], { CHATTY: '1' });
    expect(json).toMatchObject({ code: 1, stderr: 'chatty\n' });
    expect(JSON.parse(json.stdout)).toMatchObject({
      passed: false,
      runs: [
        {
          file: answersIn,
          scenario: 'answers',
          passed: false,
          exit_code: 0,
          checks: [
            { passed: true, at: '+6m', found: '1 event' },
            {
              passed: false,
              at: 'finish',
              expected: 'at least 1',
              found: expect.stringMatching(/^0 messages/) as string,
            },
          ],
          warnings: [
            { code: 'never_hit', file: answersIn, line: 5 },
            { code: 'step_passed_over', message: '1 event found no endpoint, first at +5m: none is registered.' },
          ],
        },
      ],
    });
    const anyTime = / time="[\d.]+"/g;
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toMatch(/<testsuites tests="3" failures="1" skipped="0" time="\d+\.\d{3}">/);
    expect(xml).toMatch(
      /<testcase classname="answers at finish" name="[^"]+" time="0\.000"><failure message="expected at least 1; found 0 messages[^"]*"\/>/,
    );
    for (const args of [
      [answersIn, '--junit', '-'],
      [answersIn, '--junit'],
      ['--junit', answersIn],
    ]) {
      const { stdout } = await runHere(['scenario', 'run', ...args, ...command]);
      expect(stdout.replace(anyTime, ''), args.join(' ')).toBe(xml.replace(anyTime, ''));
    }
  });

  it('plays nothing while a file does not load', async () => {
    const { code, stdout, stderr } = await runHere(['scenario', 'run', answersIn, broken, '--', ...answers]);
    expect({ code, stdout }).toStrictEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('nothing was played');
    expect(stderr).toContain(`${broken}:3:11:`);
  });

  it('does not go on with the next file after a signal', async () => {
    const code =
      "process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000); process.kill(process.ppid, 'SIGTERM');";
    const command = [process.execPath, '-e', code];
    const { code: exit, stdout } = await runCli(['scenario', 'run', answersIn, extending, '--', ...command]);
    expect(exit).toBe(1);
    expect(stdout).toContain(`${answersIn}: `);
    expect(stdout).not.toContain(`${extending}: `);
  });
});
