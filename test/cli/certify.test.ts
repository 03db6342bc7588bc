import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checks } from '../../src/certify/checks.js';
import { SECRET, startReceiver } from '../certify/receiver.js';
import type { TestReceiver } from '../certify/receiver.js';
import { runCli } from '../support/cli.js';
import { expectRejected, runHere } from '../support/cli-here.js';
import { freePort, startReceiver as startTlsReceiver } from '../support/receivers.js';

let right: TestReceiver;
let careless: TestReceiver;
let folder: string;
beforeAll(async () => {
  right = await startReceiver();
  careless = await startReceiver({ believes: () => true });
  folder = mkdtempSync(join(tmpdir(), 'certify-'));
});
afterAll(async () => {
  await Promise.all([right.close(), careless.close()]);
  rmSync(folder, { recursive: true });
});

const certify = ({ url }: TestReceiver, ...flags: string[]) => runHere(['certify', url, '--secret', SECRET, ...flags]);
const few = ['--only', 'late-event,other-body', '--only', 'answers-in-time'];

describe('certify', () => {
  it('plays everything at a right receiver, and ends with 0', async () => {
    const observe = ['--observe', right.counterUrl];
    const { code, stdout, stderr } = await runCli(['certify', right.url, '--secret', SECRET, ...observe]);
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')[0]).toBe(`Certifying ${right.url}`);
    expect(stdout.match(/^✓ /gm)).toHaveLength(checks.length);
    const musts = checks.filter(({ level }) => level === 'required').length;
    expect(stdout).toMatch(
      new RegExp(
        `\\nCertified: ${musts} of ${musts} required checks, ${checks.length} of ${checks.length} checks passed\\.\\n$`,
      ),
    );
  });

  it('ends with 1 when a required check failed, and names it', async () => {
    const { code, stdout, stderr } = await certify(careless, ...few);
    expect(code).toBe(1);
    expect(stdout).toContain('✗ Rejects a signature that belongs to another body');
    expect(stderr).toBe('messaging-sandbox: certify: 2 of 3 required checks passed; failed: other-body.\n');
  });

  it('ends with 0 when only a recommendation was not met', async () => {
    const { code, stdout } = await certify(careless, '--only', 'signature-with-tail');
    expect(code).toBe(0);
    expect(stdout).toContain('Certified: 0 of 0 required checks, 0 of 1 checks passed.');
  });

  it('speaks TLS to a receiver that does', async () => {
    const receiver = await startTlsReceiver((response) => response.end(), { tls: true });
    const { code } = await runHere(['certify', receiver.url('/hook'), '--secret', SECRET, '--only', 'late-event']);
    expect({ code, requests: receiver.received.length }).toStrictEqual({ code: 0, requests: 1 });
    await receiver.close();
  });

  it('keeps stdout for the JSON', async () => {
    const { code, stdout, stderr } = await certify(right, '--json', ...few);
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ url: right.url, certified: true, score: { passed: 3, total: 3 } });
  });

  it.each([['--junit'], ['--junit', '-'], ['--junit=-']])('writes JUnit to stdout with %j %j', async (...junit) => {
    const { code, stdout } = await certify(right, ...few, ...junit);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^<\?xml [^]*tests="3" failures="0"[^]*<\/testsuites>\n$/);
  });

  it('writes JUnit to a file beside the text', async () => {
    const file = join(folder, 'certify.xml');
    const { code, stdout } = await certify(careless, ...few, '--junit', file);
    expect(code).toBe(1);
    expect(stdout).toContain('Not certified');
    expect(readFileSync(file, 'utf8')).toContain('tests="3" failures="1"');
  });

  it('makes new ids each time, unless it is given a seed', async () => {
    const idOf = async (...seed: string[]): Promise<string | undefined> => {
      const before = right.visits.length;
      await certify(right, '--only', 'late-event', ...seed);
      return (JSON.parse(right.visits[before]?.raw.toString() ?? '{}') as { id?: string }).id;
    };
    expect(await idOf()).not.toBe(await idOf());
    expect(await idOf('--random-seed', '5')).toBe(await idOf('--random-seed', '5'));
  });

  it('lists its checks in the help', async () => {
    const { code, stdout } = await runHere(['certify', '--help']);
    expect(code).toBe(0);
    for (const { id } of checks) expect(stdout).toMatch(new RegExp(`^  ${id} `, 'm'));
  });
});

describe('a wrong command line ends with 2, and sends nothing', () => {
  it.each<string[]>([
    ['', "missing required argument 'url'"],
    ['localhost:3000 --secret x', 'Invalid receiver URL "localhost:3000"', 'http://localhost'],
    ['URL', 'no --secret is given', '--secret "$WEBHOOK_SECRET"'],
    ["URL --secret ''", '--secret is empty'],
    ['URL --secret x --only disordr', 'unknown check "disordr". Did you mean "disorder"?'],
    ['URL --secret x --only everything-else', 'Checks: accepts-message-received'],
    ['URL --secret x --timeout soon', 'Invalid value "soon" for --timeout', '10s'],
    ['URL --secret x --json --junit -', 'both write to stdout'],
    ['URL --secret x --junit /no/such/x.xml', '"/no/such/x.xml" cannot be written'],
    ['URL --secret x --observe ftp://localhost/', '--observe:', 'It must answer GET with 200'],
    ['URL --secrt x', "'--secrt'", 'Did you mean --secret?'],
  ])('%s', async (line, ...parts) => {
    const before = right.visits.length;
    await expectRejected(`certify ${line.replace('URL', right.url)}`, parts);
    expect(right.visits.length).toBe(before);
  });

  it('nobody there', async () => {
    const url = `http://127.0.0.1:${await freePort()}/hook`;
    const { code, stderr } = await runHere(['certify', url, '--secret', 'x']);
    expect(code).toBe(2);
    expect(stderr).toContain('the receiver cannot be reached');
    expect(stderr).toContain('refused the connection');
  });
});
