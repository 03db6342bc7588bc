import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { application } from '../support/application.js';
import { runCli } from '../support/cli.js';
import { expectRejected, runHere } from '../support/cli-here.js';

const dir = mkdtempSync(join(tmpdir(), 'cli-exec-'));
afterAll(() => {
  rmSync(dir, { recursive: true });
});

const node = (code: string): string[] => [process.execPath, '-e', code];
type Variables = Readonly<Record<string, string>>;
const line = (flags: readonly string[], command: readonly string[]) => [
  ...['exec', '--log-level', 'warn', ...flags, '--'],
  ...command,
];
/** For what the command prints, and for signals. */
const exec = (flags: readonly string[], command: readonly string[], env: Variables = {}) =>
  runCli(line(flags, command), env);
/** For the rest; a process of its own takes much longer. */
const execHere = (flags: readonly string[], command: readonly string[], env: Variables = {}) =>
  runHere(line(flags, command), env);

const answersOnce = join(dir, 'answers-once.yaml');
writeFileSync(
  answersOnce,
  `version: 1
given:
  customers: [{ phone: '+12025550150', window: open }]
  webhooks: [{ alias: order-events, url: 'https://sink.sandbox/orders', events: [message.status], secret: whsec_orders }]
expect:
  - { at: finish, that: messages, where: { direction: outbound }, count: 1 }
`,
);

describe('exec gives its command', () => {
  it('the sandbox, a key, and the secrets of the endpoints that the scenario gives', async () => {
    const code = `
      const names = ['MESSAGING_BASE_URL', 'MESSAGING_API_KEY', 'MESSAGING_CONTROL_TOKEN', 'MESSAGING_WEBHOOK_SECRET_ORDER_EVENTS'];
      console.log(JSON.stringify([Object.fromEntries(names.map((name) => [name, process.env[name]])), (await call('GET', '/v1/webhooks')).webhooks]));`;
    const account = ['--scenario', answersOnce, '--api-keys', 'first,second'];
    const { stdout } = await exec([...account, '--control-token', 'hush', '--host', '0.0.0.0'], application(code));
    const [variables, webhooks] = JSON.parse(stdout) as [Record<string, string>, { url: string }[]];
    expect(variables).toStrictEqual({
      MESSAGING_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/) as string,
      MESSAGING_API_KEY: 'first',
      MESSAGING_CONTROL_TOKEN: 'hush',
      MESSAGING_WEBHOOK_SECRET_ORDER_EVENTS: 'whsec_orders',
    });
    expect(webhooks.map(({ url }) => url)).toStrictEqual(['https://sink.sandbox/orders']);
  });

  it('its arguments, input and output untouched', async () => {
    const writes =
      "process.stdout.write(JSON.stringify(process.argv.slice(1)) + process.env.MINE); process.stderr.write('!')";
    const command = [...node(writes), '--', '--port', 'x y', '-h'];
    const { code, stdout, stderr } = await exec([], command, { MINE: 'mine' });
    expect({ code, stdout, stderr }).toStrictEqual({ code: 0, stdout: '["--port","x y","-h"]mine', stderr: '!' });
  });

  it('a free port, whatever PORT says, because that is the port of the application', async () => {
    const code = 'console.log(process.env.PORT, new URL(process.env.MESSAGING_BASE_URL).port)';
    const { stdout } = await exec([], node(code), { PORT: '3999' });
    expect(stdout).toMatch(/^3999 (?!3999)\d+\n$/);
  });
});

describe('exec passes on', () => {
  it.each<[string, number]>([
    ['process.exit(255)', 255],
    ["process.kill(process.pid, 'SIGKILL')", 137],
    ["process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)", 143],
  ])('the end of %s as %d', async (code, exit) => {
    expect(await execHere([], node(code))).toMatchObject({ code: exit });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s, and the code that the command then ends with', async (signal) => {
    const code = `process.on('${signal}', () => { console.log('told'); process.exit(9); });
      setInterval(() => {}, 1000); process.kill(process.ppid, '${signal}');`;
    const report = join(dir, `${signal}.json`);
    expect(await exec(['--coverage', report], node(code))).toMatchObject({ code: 9, stdout: 'told\n' });
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ covered: 0 });
  });
});

describe('exec judges', () => {
  it('every account that ran the scenario, one that the command deleted too', async () => {
    const code = `for (const one of ['a', 'b', 'b']) await call('POST', '/v1/messages', { to: '+12025550150', type: 'text', text: 'Hi' }, one);
      await call('DELETE', '/_sandbox/accounts/b');`;
    const junit = join(dir, 'several.xml');
    const { code: exit, stderr } = await execHere(['--scenario', answersOnce, '--verdict', junit], application(code));
    expect(exit).toBe(1);
    expect(stderr).toContain(
      'messaging-sandbox: scenario answers-once failed in 1 of 2 accounts\n✗ b: failed, 1 of 1 check\n',
    );
    expect(stderr).toContain('\n✓ a: passed, 1 check\n');
    expect(readFileSync(junit, 'utf8').match(/<testsuite name="[^"]*"/g)).toEqual([
      '<testsuite name="b: answers-once"',
      '<testsuite name="a: answers-once"',
    ]);
  });

  it('the share of the contract that was exercised', async () => {
    const once = application("await text('+12025550150');");
    const low = await execHere(['--fail-under', '80'], once);
    expect(low.code).toBe(1);
    expect(low.stderr).toMatch(/less than the 80 % of --fail-under\./);
    expect(await execHere(['--fail-under', '1'], once)).toMatchObject({ code: 0 });
  });

  it('what the command caused last, although its receiver is slow', async () => {
    const path = join(dir, 'slow-receiver.yaml');
    writeFileSync(path, 'version: 1\nexpect:\n  - { at: finish, that: attempts, where: { status: 200 }, count: 1 }\n');
    const code = `
      await call('PUT', '/_sandbox/sink/slow', { respond: [{ status: 200, delay: '700ms' }] });
      await call('POST', '/v1/webhooks', { url: 'https://sink.sandbox/slow', events: ['message.received'] });
      await call('POST', '/_sandbox/inbound', { from: '+12025550150' });`;
    expect(await execHere(['--scenario', path], application(code))).toMatchObject({ code: 0 });
  });
});

describe('exec reports', () => {
  const twice = application("await text('+12025550150'); await text('+12025550150');");
  const file = (name: string) => join(dir, 'reports', name);
  const read = (name: string) => readFileSync(file(name), 'utf8');

  it.each([
    ['json', '"covered": ', '"found": "2 messages'],
    ['md', '# API coverage: ', '| ❌ | finish | messages where {'],
    ['xml', 'name="sendMessage 2xx"', '<failure message="expected exactly 1; found 2 messages">'],
  ])('as .%s', async (ending, coverage, verdict) => {
    const flags = ['--scenario', answersOnce, '--coverage', file(`c.${ending}`), '--verdict', file(`v.${ending}`)];
    expect(await execHere(flags, twice)).toMatchObject({ code: 1 });
    expect(read(`c.${ending}`)).toContain(coverage);
    expect(read(`v.${ending}`)).toContain(verdict);
  });

  it('a check that nothing can match as failed, because no record can be added any more', async () => {
    const path = join(dir, 'typo.yaml');
    writeFileSync(path, 'version: 1\nexpect:\n  - { at: finish, that: messages, where: { direction: out }, max: 0 }\n');
    const once = application("await text('+12025550150');");
    const { code, stderr } = await execHere(['--scenario', path, '--verdict', file('typo.xml')], once);
    expect([code, stderr]).toEqual([1, expect.stringContaining('scenario typo failed, 1 of 1')]);
    expect(stderr).toMatch(/expected: something can match it\n +found: +.*typo\.yaml:3: /);
    expect(read('typo.xml')).toContain('<failure message="expected something can match it; found ');
  });

  it('to the summary of a CI step, behind what stands there', async () => {
    const summary = join(dir, 'summary.md');
    writeFileSync(summary, '# Tests\n');
    await execHere(['--scenario', answersOnce], twice, { GITHUB_STEP_SUMMARY: summary });
    const text = readFileSync(summary, 'utf8');
    expect(text).toMatch(/^# Tests\n# Verdict on answers-once: failed\n/);
  });

  it('the last calls and the failed deliveries of a command that failed, and all of them in a file', async () => {
    const code = `
      await call('PUT', '/_sandbox/sink/down', { respond: [{ status: 500 }] });
      await call('POST', '/v1/webhooks', { url: 'https://sink.sandbox/down', events: ['message.received'] });
      await call('POST', '/_sandbox/inbound', { from: '+12025550150' });
      await call('POST', '/v1/messages', { to: '0150', type: 'text', text: 'Hi' });
      await fetch(process.env.MESSAGING_BASE_URL + '/v1/templates');
      // As a fixture does for each test.
      await call('DELETE', '/_sandbox/accounts/' + process.env.MESSAGING_API_KEY);
      process.exit(3);`;
    const { code: exit, stderr } = await execHere(['--journal', file('calls.har')], application(code));
    expect(exit).toBe(3);
    expect(stderr).toContain(`messaging-sandbox: The last 2 calls of 2 (all: ${file('calls.har')}):\n`);
    expect(stderr).toMatch(/^ {2}400 {2}POST \/v1\/messages validation_error: .*to /m);
    expect(stderr).toMatch(
      /1 failed delivery:\n {2}message\.received → https:\/\/sink\.sandbox\/down: 500 \(1 attempt\)\n/,
    );
    expect(stderr).not.toMatch(/scenario|coverage|exercised/i);
    const { log } = JSON.parse(read('calls.har')) as {
      log: { entries: { request: { url: string }; response: { status: number; content: { text: string } } }[] };
    };
    const seen = log.entries.map(({ request, response }) => `${new URL(request.url).pathname} ${response.status}`);
    expect(seen).toEqual(['/v1/webhooks 200', '/down 500', '/v1/messages 400', '/v1/templates 401']);
    expect(log.entries.at(-1)?.response.content.text).toContain('"code":"unauthorized"');
  });

  it('that the timeline of the scenario was not played to its end, and what plays it', async () => {
    const path = join(dir, 'tomorrow.yaml');
    writeFileSync(path, "version: 1\ntimeline:\n  - { at: +24h, inbound: { phone: '+12025550150' } }\n");
    const { stderr } = await execHere(['--scenario', path], [process.execPath, '-e', "void 'a b'"]);
    const command = `${process.execPath} -e 'void '\\''a b'\\'''`;
    expect(stderr).toContain(`To play all of it, use: messaging-sandbox scenario run ${path} -- ${command}\n`);
  });

  it('a file that cannot be written, but after the command; whose own failure counts more', async () => {
    const blocked = join(answersOnce, 'coverage.json');
    const fine = await exec(['--coverage', blocked], node("console.log('ran')"));
    expect(fine).toMatchObject({ code: 1, stdout: 'ran\n' });
    expect(fine.stderr).toContain(`messaging-sandbox: the report ${blocked} cannot be written: `);
    const failing = await execHere(['--coverage', blocked], node('process.exit(5)'));
    expect(failing).toMatchObject({ code: 5, stderr: expect.stringContaining('cannot be written') as string });
  });
});

describe('exec does not start over', () => {
  it.each([
    ['exec', 'no command is given'],
    ['exec --', 'no command is given'],
    ['exec npm test', '"npm" must come after "--". Write exec [options] -- npm test.'],
    ['exec sh -c true', '"sh" must come after "--". Write exec [options] -- sh -c true.'],
    ['exec --coverage c.txt -- true', 'Invalid value "c.txt" for --coverage. Expected a file that ends in .json'],
    ['exec --verdict v.xml -- true', 'exec: --verdict needs a scenario to evaluate. Name one with --scenario'],
    ['exec --clock x -- true', 'Invalid value "x" for --clock'],
    ['exec --scenario hapy-path -- true', 'happy-path'],
  ])('%s', (line, part) => expectRejected(line, [part]));

  it.each([
    ['no-such-command-here', 127, 'There is no command "no-such-command-here"'],
    [dir, 126, 'is not executable'],
  ])('with a command that cannot be run: %s', async (command, code, part) => {
    const result = await runHere(['exec', '--log-level', 'silent', '--', command]);
    expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(part) as string });
    expect(result.stderr).not.toContain('    at ');
  });
});
