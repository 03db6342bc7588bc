import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../../src/cli/program.js';
import { configOptionList } from '../../src/config/index.js';
import { runCli } from '../support/cli.js';
import { expectRejected, runHere } from '../support/cli-here.js';

describe('help and version', () => {
  it.each([['--help'], ['-h'], ['help']])('%s lists every command, every flag and every variable', async (flag) => {
    const { code, stdout, stderr } = await runHere([flag]);
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
    for (const { name } of commands) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    for (const option of configOptionList) {
      expect(stdout).toContain(option.flag);
      for (const variable of option.env) expect(stdout).toContain(variable);
    }
  });

  it.each([
    [['start', '--help'], '--webhook-route'],
    [['help', 'clock'], 'advance'],
    [['clock', 'help', 'advance'], '--until'],
    [['clock', 'advance', '--help'], '--control-token'],
    [['scenario', 'run', '--help'], '[-- CMD…]'],
    [['readyz', '--help'], 'MESSAGING_BASE_URL'],
    [['trigger', '-h'], 'messaging-sandbox trigger [options] <event>'],
    [['exec', '--help'], 'GITHUB_STEP_SUMMARY'],
  ])('%j describes one command', async (args, part) => {
    const { code, stdout } = await runHere(args);
    expect(code).toBe(0);
    expect(stdout).toContain(part);
  });

  it('prints the version', async () => {
    const { code, stdout } = await runCli(['--version']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('a wrong command line ends with 2, says nothing on stdout, and names what was meant', () => {
  it.each<string[]>([
    ['strat', 'messaging-sandbox: Unknown command "strat". Did you mean start? See "messaging-sandbox --help".\n'],
    ['--prot 1', 'Unknown option "--prot". Did you mean --port? See "messaging-sandbox start --help".'],
    ['start --scenrio x', 'Unknown option "--scenrio"', 'Did you mean --scenario?'],
    [
      'scenario run --dialect x.yaml y.yaml',
      'Unknown option "--dialect". It is an option of the sandbox: set SANDBOX_DIALECT. See',
    ],
    ['start --scenario nope', 'There is no scenario "nope". Give the path of a file, or one of: '],
    ['start here', 'Too many arguments: 1. Expected 0.'],
    ['--port', 'Missing value for --port. Expected '],
    ['--port abc', 'Invalid value "abc" for --port', 'from 0 to 65535'],
    ['--clock x', 'Invalid value "x" for --clock', 'frozen'],
    ['clock advence 5m', '"advence"', 'Did you mean "advance"?', 'freeze, run'],
    ['clock advance', 'there is no target', '--until next|idle'],
    ['clock advance 5m --until next', 'more than one target'],
    ['clock advance --until dawn', 'Invalid value "dawn" for --until. Expected one of next, idle.'],
    ['clock advance 5min', 'Invalid value "5min" for DURATION. Expected 250ms, 10s, 5m, 24h or 7d.\n'],
    ['clock advance --to tomorrow', 'Invalid value "tomorrow" for --to. Expected a time such as 2026-'],
    ['clock freeze now', 'Invalid value "now" for INSTANT. Expected a time such as 2026-'],
    ['clock run fast', '"fast"', 'x60'],
    ['inbound', 'Missing argument "from".'],
    ['trigger message.recieved', 'Invalid value "message.recieved" for event. Expected one of message.received, '],
    ['explore --app x', 'explore: --app and --story belong together. Give both.'],
    ['trigger message.status --set text', 'Invalid value "text" for --set', 'data.text=hello'],
    ['trigger message.status --set data.error:={', '"data.error:={" for --set'],
    ['trigger message.status --set data.text=a --set data.text.more=a', '"data.text.more=a" for --set'],
    ['verdict --json --junit', 'verdict: --json and --junit - both write to stdout.'],
    ['record --from 0', 'Invalid value "0" for --from. Expected a whole number from 1'],
    ['scenario chekc x.yaml', '"chekc"', 'Did you mean check?', 'See "messaging-sandbox scenario --help".'],
    ['scenario', 'check', 'run'],
    ['scenario check', 'Missing argument "files".', 'See "messaging-sandbox scenario check --help".'],
    ['scenario run', 'Missing argument "files".', 'See "messaging-sandbox scenario run --help".'],
    ['clock advance --unti next', '"--unti"', 'See "messaging-sandbox clock advance --help".'],
    ['scenario run hapy-path', '"hapy-path"', 'Did you mean "happy-path"?'],
    ['scenario run happy-path --json --junit -', 'both write to stdout', 'Give --junit a file'],
    ['scenario check happy-path -- npm test', '"-- npm test" is not run here', 'scenario run'],
    ['exec --fail-under 101 -- true', 'Invalid value "101" for --fail-under. Expected a number from 0 to 100.'],
    ['reset --url localhost:4242', '"localhost:4242" for --url', 'http://127.0.0.1:4242'],
    ["reset --key 'a b'", 'Invalid value "a b" for the API key', 'without spaces'],
  ])('%s', (line, ...parts) => expectRejected(line, parts));

  it('names the variable when that is where the value came from', async () => {
    const { code, stderr } = await runHere([], { SANDBOX_FSYNC: 'sometimes' });
    expect(code).toBe(2);
    expect(stderr).toBe(
      'messaging-sandbox: Invalid value "sometimes" for SANDBOX_FSYNC. Expected one of always, interval.\n',
    );
  });
});

describe('openapi needs no server', () => {
  it('prints the API plane as YAML', async () => {
    const { code, stdout } = await runCli(['openapi']);
    expect(code).toBe(0);
    expect(Object.keys((parse(stdout) as { paths: object }).paths)).toContain('/v1/messages');
  });
});

describe('what is printed', () => {
  const script = (tail: string) => ['-c', `exec "$0" "$@" ${tail}`, process.execPath, inject('cli').main, 'schema'];

  it.runIf(existsSync('/dev/full'))('has to arrive: a full disk is a failure that is told', async () => {
    const failed = promisify(execFile)('sh', script('> /dev/full'));
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^messaging-sandbox: cannot write to stdout: ENOSPC.*\n$/) as string,
    });
  });

  it('may go to a reader that has seen enough', async () => {
    // The shell returns the exit code of its last command, so ours is printed.
    const [, command = '', ...args] = script('; echo $? >&2').map((part) => part.replace('exec ', ''));
    const { stderr } = await promisify(execFile)('sh', ['-c', `{ ${command}; } | head -c 1`, ...args]);
    expect(stderr).toBe('0\n');
  });
});
