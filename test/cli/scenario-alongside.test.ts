import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { application } from '../support/application.js';
import { runCli } from '../support/cli.js';
import { expectRejected, runHere } from '../support/cli-here.js';

const dir = mkdtempSync(join(tmpdir(), 'cli-alongside-'));
afterAll(() => {
  rmSync(dir, { recursive: true });
});

function file(name: string, text: string): string {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
}

const asks = file(
  'asks.yaml',
  `version: 1
timeline:
  - { at: +5m, inbound: { phone: '+12025550150', text: Hello? } }
  - { at: +6h, inbound: { phone: '+12025550150', text: Still there? } }
expect:
  - { at: +1h, that: messages, where: { direction: outbound }, min: 1, because: Somebody answers. }
  - { at: finish, that: messages, where: { direction: outbound }, count: 2 }
`,
);

/** A server that registers itself (later than it listens, by some real time), and replies to every customer with `words`, or not at all. */
function server(name: string, words: string | null, registersAfterMs = 0): string {
  const answer =
    words === null ? '' : `await call('POST', '/v1/messages', { to: data.from, type: 'text', text: '${words}' });`;
  const path = file(
    name,
    `import { createServer } from 'node:http';
const { MESSAGING_BASE_URL: base, MESSAGING_API_KEY: key } = process.env;
const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
const call = (method, path, body) => fetch(base + path, { method, headers, body: JSON.stringify(body) });
const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  response.end();
  if (request.method !== 'POST') return;
  const { data } = JSON.parse(text);
  ${answer}
});
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', async () => {
  const url = 'https://127.0.0.1:' + server.address().port;
  await new Promise((done) => setTimeout(done, ${registersAfterMs}));
  await call('POST', '/v1/webhooks', { url, events: ['message.received'] });
  console.log('listening');
});
`,
  );
  return `"${process.execPath}" "${path}"`;
}
const answering = server('answering.mjs', 'Yes');

describe('scenario run with a command', () => {
  const waits = application(`
    await call('GET', '/v1/templates');
    for (const count of [1, 2]) {
      await call('GET', '/_sandbox/wait?for=event&type=message.received&timeout=20s&count=' + count);
      await text('+12025550150');
    }`);

  it('reads the state that the command reports in its last line', async () => {
    const said = file(
      'said.yaml',
      'version: 1\nexpect_no_calls: true\nexpect: [{ at: finish, state: { stdout#sent: 1 } }, { at: finish, state: { stdout#failed: 1 }, max: 0 }]\n',
    );
    const run = (state: string) =>
      runHere(['scenario', 'run', said, '--', process.execPath, '-e', `console.log('hi\\n${state}')`]);
    const right = await run('{"sent":1,"failed":0}');
    expect(right).toMatchObject({ code: 0, stdout: expect.stringContaining('{"sent":1,"failed":0}') as string });
    expect(await run('{"sent":1,"failed":1}')).toMatchObject({ code: 1 });
    expect(await run('nothing')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('stdout#sent: null') as string,
    });
  });

  it('plays the timeline while the command runs', async () => {
    const { code, stdout } = await runHere(['scenario', 'run', asks, '--', ...waits]);
    expect(stdout).toContain('asks.yaml: passed, 2 checks\n');
    expect(code).toBe(0);
  });

  it('keeps time still for a command that runs on a frozen clock', async () => {
    const looks = application(`
      await call('GET', '/v1/templates');
      const { now } = await call('GET', '/_sandbox/clock');
      await new Promise((resolve) => setImmediate(resolve));
      const { mode, now: later } = await call('GET', '/_sandbox/clock');
      console.log(mode, now === later);`);
    const { stdout } = await runCli(['scenario', 'run', asks, '--clock', 'frozen', '--', ...looks]);
    expect(stdout).toMatch(/^frozen true\n/);
    expect(stdout).toContain('asks.yaml: failed, 2 of 2 checks\n');
  });

  it('gives a client that honours Retry-After its token back, and its first wait the time it takes', async () => {
    const limited = file(
      'limited.yaml',
      `version: 1
given: { customers: [{ phone: '+12025550150', window: open }] }
rules:
  - { id: first, when: message.send, pick: { calls: 1 }, then: { respond: { status: 429, retry_after: 3s } } }
  - { id: limited, when: message.send, then: { limit: 1/s } }
timeline: [{ at: +1h, inbound: { phone: '+12025550150', text: Hi } }]
expect:
  - { at: +1m, that: messages, count: 2 }
  - { at: finish, that: requests, spacing: { min: retry_after } }
  - { at: finish, that: requests, where: { status: 429 }, min: 2 }
  - { at: finish, that: messages, where: { direction: outbound }, count: 2 }
`,
    );
    const patient = application(`
      const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
      const body = JSON.stringify({ to: '+12025550150', type: 'text', text: 'Hi' });
      for (let sent = 0; sent < 2; ) {
        const answer = await fetch(base + '/v1/messages', { method: 'POST', headers, body });
        if (answer.ok) sent += 1;
        else await new Promise((resolve) => setTimeout(resolve, 1000 * answer.headers.get('retry-after')));
      }`);
    const { code, stdout } = await runHere(['scenario', 'run', limited, '--', ...patient]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('limited.yaml: passed, 4 checks\n')]);
  });

  it('leaves the clock to a command that moves it', async () => {
    const moves = application(`
      await call('GET', '/v1/templates');
      await call('PUT', '/_sandbox/clock', { mode: 'frozen' });
      const { now } = await call('POST', '/_sandbox/clock/advance', { by: '10m' });
      await text('+12025550150');
      const { mode, now: later } = await call('GET', '/_sandbox/clock');
      console.log(mode, now === later);`);
    const { stdout } = await runCli(['scenario', 'run', asks, '--', ...moves]);
    expect(stdout).toMatch(/^frozen true\n/);
    expect(stdout).toContain('✓ at +1h: Somebody answers. (messages');
  });
});

describe('scenario run --app', () => {
  it('starts the application, plays the scenario to its end, judges, and stops the application', async () => {
    const { code, stdout, stderr } = await runHere(['scenario', 'run', asks, '--app', answering]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'listening\n' });
    expect(stdout).toContain('asks.yaml: passed, 2 checks\n');
  });

  it('waits for a URL, and starts the command then', async () => {
    const command = application("console.log((await fetch('http://127.0.0.1:' + process.env.PORT)).status);");
    const app = ['--app', answering, '--wait-for', 'http://127.0.0.1:{port}/livez'];
    const { stdout } = await runCli(['scenario', 'run', asks, ...app, '--', ...command]);
    expect(stdout).toMatch(/^200\n/);
  });

  it('plays on to the end after a command that moved the clock, once the application has called', async () => {
    const moves = application(`
      await text('+12025550110');
      await call('POST', '/_sandbox/clock/advance', { by: '10m' });`);
    const { code, stdout } = await runHere([
      'scenario',
      'run',
      asks,
      '--app',
      server('slow.mjs', 'Yes', 1500),
      '--',
      ...moves,
    ]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('asks.yaml: passed, 2 checks\n')]);
    expect(stdout).toMatch(/ended at \+\S+: nothing was due, and the application was idle for /);
  });

  it.each([
    ['ends: +3h', 1, /ended at \+3h: ends: \+3h, .*; still due: 1 timeline step/],
    ['ends: { quiet: 2s }', 2, /ended at \+6h\d*\S*: nothing happened for 2s, /],
  ])('ends when the scenario says so: %s', async (ends, messages, end) => {
    const text = `version: 1
${ends}
timeline:
  - { at: +5m, inbound: { phone: '+12025550150', text: Hello? } }
  - { at: +6h, inbound: { phone: '+12025550150', text: Still there? } }
expect:
  - { at: finish, that: messages, where: { direction: outbound }, count: ${messages} }
`;
    const { code, stdout } = await runHere(['scenario', 'run', file('ends.yaml', text), '--app', answering]);
    expect(stdout).toMatch(end);
    expect(code, stdout).toBe(0);
  });

  it('waits as long as the scenario says for an application that works after its response', async () => {
    const text = `version: 1
ends: { quiet: 5s }
given: { customers: [{ phone: '+12025550150', window: open }] }
expect: [{ at: finish, that: messages, where: { direction: outbound }, count: 2 }]
`;
    const slow = application(
      "await text('+12025550150'); await new Promise((done) => setTimeout(done, 1500)); await text('+12025550150');await new Promise(() => setInterval(() => {}, 1e6))",
    );
    const app = `"${slow[0]}" --input-type=module -e '${slow.at(-1)?.replaceAll("'", `'"'"'`)}'`;
    const { code, stdout } = await runHere(['scenario', 'run', file('slow.yaml', text), '--app', app]);
    expect(code, stdout).toBe(0);
  });

  it('gives an application that responds before its first call a second for that call', async () => {
    const app = ['--app', server('late.mjs', 'Yes', 700), '--wait-for', 'http://127.0.0.1:{port}/livez'];
    const { stdout, stderr } = await runHere(['scenario', 'run', asks, ...app]);
    expect(stdout, stderr).toContain('asks.yaml: passed, 2 checks\n');
  });

  it('says so when the application ends early, or does not respond', async () => {
    const ends = await runHere(['scenario', 'run', asks, '--app', 'exit 3']);
    expect(ends.code).toBe(1);
    expect(ends.stdout).toContain('; the application ended with 3 before the scenario did\n');
    const junit = await runHere(['scenario', 'run', asks, '--junit', '--app', 'exit 3']);
    expect(junit.stdout).toContain(
      'name="the run reaches its end" time="0.000"><failure message="the application ended with 3',
    );
    const nowhere = ['--wait-for', 'http://127.0.0.1:1/'];
    const dead = await runHere(['scenario', 'run', asks, '--app', 'exit 3', ...nowhere]);
    expect(dead).toMatchObject({
      code: 1,
      stderr: 'messaging-sandbox: The application ended with 3 before http://127.0.0.1:1/ responded.\n',
    });
  });

  it('ends at the time that the scenario names, although the application is never idle', async () => {
    const ends = file('ends.yaml', 'version: 1\nends: +2s\nexpect: [{ at: finish, that: requests, min: 3 }]\n');
    const busy = application(
      "for (;;) { await text('+12025550150'); await new Promise((done) => setTimeout(done, 50)); }",
    );
    const app = `"${busy[0]}" -e '${busy.at(-1)?.replaceAll("'", `'"'"'`)}'`;
    const { code, stdout } = await runHere(['scenario', 'run', ends, '--app', app, '--quiet', '1m']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('passed, 1 check\n')]);
    expect(stdout).toContain('  ended at +2s: ends: +2s');
  });

  it('prints the verdict so far after a signal', async () => {
    const { code, stdout } = await runCli(['scenario', 'run', asks, asks, '--app', 'kill -INT $PPID; exec sleep 60']);
    expect(code).toBe(130);
    expect(stdout.match(/asks\.yaml: failed, 2 of 2 checks; interrupted; this is the verdict so far\n/g)).toHaveLength(
      1,
    );
    expect(stdout).toContain('not evaluated yet: +1h is in the future');
  });

  it.each([
    ["--app ' '", 'scenario run: --app is empty.'],
    ['--wait-for http://localhost:1', 'scenario run: --wait-for waits for an application.'],
    [
      '--app x --wait-for localhost:1',
      'Invalid value "localhost:1" for --wait-for. Expected an http:// or https:// URL',
    ],
    ['--quiet 5', 'Invalid value "5" for --quiet. Expected a duration'],
  ])('rejects %s', (line, message) => expectRejected(`scenario run ${asks} ${line}`, [message]));
});
