/** Text from a server, a receiver or a file cannot control the terminal or reverse the direction of writing. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checks } from '../../src/certify/checks.js';
import { checkLines } from '../../src/certify/report.js';
import { addToSummary, asJson, writeReport } from '../../src/cli/report-file.js';
import { junitOf, markdownOf } from '../../src/reports/verdict-formats.js';
import { deliveredLines } from '../../src/cli/commands/listen.js';
import type { TunnelResponse } from '../../src/cli/tunnel-client.js';
import { printable, printableLine } from '../../src/domain/text.js';
import { runHere } from '../support/cli-here.js';

const hostile = 'a\u001b[2J\u009b31m\u0007\u202eb\u2066c\u200fd\u061c\u007f';
const harmful = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const escaped = 'a\\u001b[2J\\u009b31m\\u0007\\u202eb\\u2066c\\u200fd\\u061c\\u007f';
const dotted = 'a·[2J·31m··b·c·d··';

describe('printable text', () => {
  it('keeps words, line breaks, tabs and joined emoji', () => {
    const plain = 'Grüße\n\t👩‍💻 שלום';
    expect(printable(plain)).toBe(plain);
  });

  it('of JSON is the same JSON', () => {
    const value = { text: hostile };
    const text = printable(JSON.stringify(value));
    expect(text).not.toMatch(harmful);
    expect(JSON.parse(text)).toStrictEqual(value);
  });

  it('of one line keeps its width', () => {
    expect(printableLine(`${hostile}\r\n\tx`)).toBe(`${dotted}·· x`);
  });
});

describe('a hostile server', () => {
  let server: Server;
  let env: { MESSAGING_BASE_URL: string };
  beforeAll(async () => {
    server = createServer(({ url }, response) => {
      const listed = url?.startsWith('/_sandbox/scenarios') === true;
      const problems = [{ line: 1, message: hostile }];
      const body = listed
        ? {
            items: [
              { name: hostile, active: true, valid: true, description: `${hostile}\nx` },
              { name: 'broken', active: false, valid: false, problems },
            ],
            next: null,
          }
        : { error: { code: `forbidden${hostile}`, message: hostile } };
      response.writeHead(listed ? 200 : 403, { 'Content-Type': 'application/json', 'X-Sandbox': '1' });
      response.end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    env = { MESSAGING_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  });
  afterAll(() => server.close());

  it('cannot command the terminal by its scenarios', async () => {
    const { stdout } = await runHere(['scenario', 'list'], env);
    expect(stdout.split('\n')).toStrictEqual([
      'Do not load:',
      `* ${dotted}  ${dotted} x`,
      `  broken${' '.repeat(dotted.length - 6)}  does not load, line 1: ${dotted}`,
      '',
    ]);
    const json = await runHere(['scenario', 'list', '--json'], env);
    expect(json.stdout).not.toMatch(harmful);
    expect(JSON.parse(json.stdout)).toMatchObject({ items: [{ name: hostile }, {}] });
  });

  it.each([['clock', 'show'], ['reset'], ['coverage'], ['readyz']])(
    'cannot by the error of a call: %s',
    async (...args) => {
      const { code, stderr } = await runHere(args, env);
      expect(code).toBe(1);
      expect(stderr).toContain('\\u202e');
      expect(stderr).not.toMatch(harmful);
    },
  );
});

it('listen shows events, bodies that are not JSON, and failures without commands', () => {
  const answered = { status: 200, headers: {}, body: '' };
  const failed = { error: { code: 'connection_failed', message: hostile } } as const;
  const event = JSON.stringify({ id: hostile, type: hostile, data: { text: hostile } });
  const shown: [body: string, result: TunnelResponse, json: boolean][] = [
    [event, answered, false],
    [event, answered, true],
    [hostile, answered, false],
    ['{}', failed, false],
  ];
  for (const [body, result, json] of shown) {
    const ask = { id: '1', method: 'POST', headers: {}, body } as const;
    const text = deliveredLines({ full: true, json }, { atMs: 0, durationMs: 1, ask, result });
    expect(text).toContain('\\u202e');
    expect(text).not.toMatch(harmful);
  }
});

it('listen shows the type of an event, whatever its dialect', () => {
  const result = { status: 200, headers: {}, body: '' };
  for (const [body, headers] of [
    ['{"topic":"otp.verified"}', {}],
    ['{"a":1}', { 'x-topic': 'otp.verified' }],
  ] as const) {
    const ask = { id: '1', method: 'POST', headers, body } as const;
    expect(deliveredLines({ full: false, json: false }, { atMs: 0, durationMs: 1, ask, result })).toContain(
      'otp.verified',
    );
  }
});

it('certify quotes a response without commands', () => {
  const [check] = checks;
  if (!check) throw new Error('there is no check');
  const lines = checkLines(
    { check, result: 'failed', found: hostile, exchanges: [], durationMs: 1 },
    { colour: false },
  );
  expect(lines).toContain(`    found     ${dotted}`);
});

it('reports and the summary of a CI step hold no commands', () => {
  const folder = mkdtempSync(join(tmpdir(), 'printable-'));
  try {
    const files = { markdown: join(folder, 'a.md'), junit: join(folder, 'a.xml'), json: join(folder, 'a.json') };
    const summary = join(folder, 'summary.md');
    const check = { at: 'finish', that: hostile, expected: hostile, found: hostile, passed: false };
    const only = { account: 'a', scenario: hostile, passed: false, checks: [check], warnings: [] };
    const verdict = { passed: false, accounts: [only] };
    writeReport(files.json, asJson(verdict));
    writeReport(files.junit, junitOf(verdict));
    writeReport(files.markdown, markdownOf(verdict));
    addToSummary(markdownOf(verdict), { GITHUB_STEP_SUMMARY: summary });
    for (const file of [...Object.values(files), summary]) {
      const text = readFileSync(file, 'utf8');
      expect(text).toContain('\\u202e');
      expect(text).not.toMatch(harmful);
    }
    expect(readFileSync(files.json, 'utf8')).toContain(escaped);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
