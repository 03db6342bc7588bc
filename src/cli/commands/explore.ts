import { existsSync, readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { readDuration, ValueError, invalidValue } from '../../config/values.js';
import type { Config } from '../../config/index.js';
import { sandboxAccount, type SandboxAccount } from '../../client/account.js';
import { openConnection } from '../../client/connection.js';
import { explore, StoryFails, type Patience, type Play } from '../../explore/explorer.js';
import { drop, prepare, readFacts, rulesOf } from '../../explore/facts.js';
import { IgnoreError, parseIgnores } from '../../explore/ignore.js';
import type { Ending, Placed } from '../../explore/types.js';
import type { LoadedRule } from '../../scenario/language/rules.js';
import { machineTime } from '../../time/system-clock.js';
import { appStory, requireSandbox, type AppFlags } from '../explore/app-story.js';
import { conclude, progressTo } from '../explore/conclude.js';
import { endProcesses, runCommand } from '../explore/command-story.js';
import { CliFailure, QuietExit } from '../failure.js';
import { newCommand } from '../new-command.js';
import { closeSandbox, openLog, openSandbox, readConfig } from '../open-sandbox.js';
import { startFlags, withStartFlags } from '../start-flags.js';
import { environmentFor } from '../user-command.js';

const HELP = `
The command is the story. It is started once without a fault, twice more to see what is stable, and then once for each
fault, with a key of its own. It finds the sandbox in the same variables as the command of exec. If it ends otherwise than
without the fault, the application is not right: see docs/explore.md. The clock of each try passes with the machine and
jumps when the application is quiet, unless --clock says otherwise.
Exit code: 0 if nothing broke, 1 if something did that is not ignored, 2 for a usage error or a story that fails by itself.

Examples:
  messaging-sandbox explore --out explore -- npm test
  messaging-sandbox explore --budget 2m --ignore explore.yaml -- python3 story.py
  messaging-sandbox explore --app 'npm start' --wait-for http://localhost:3000/health --story story.yaml`;

interface Flags extends AppFlags {
  readonly out: string;
  readonly budget: string;
  readonly maxRuns: string;
  readonly pairs: string;
  readonly parallel: string;
  readonly timeout: string;
  readonly seed: string;
  readonly observe: readonly string[];
  readonly ignore?: string;
  readonly json?: boolean;
  /** For the scenario files of a story with an application. */
  readonly play?: boolean;
}

/** `explore`: tries every failure, and reports the smallest that breaks the application. @param userCommand what follows `--` */
export function define(userCommand: readonly string[]): Command {
  return withStartFlags(
    newCommand('explore', 'Try every failure, and report the smallest that breaks your application.'),
  )
    .usage('[options] -- CMD…')
    .addOption(new Option('--out <DIR>', 'folder for scenarios and reports').default('explore'))
    .addOption(new Option('--budget <DURATION>', 'real time after which no new try begins').default('5m'))
    .addOption(new Option('--max-runs <N>', 'most tries').default('2000'))
    .addOption(new Option('--pairs <N>', 'most pairs of faults, tried after the single ones').default('100'))
    .addOption(new Option('--parallel <N>', 'tries side by side, where the application allows it').default('3'))
    .addOption(new Option('--timeout <DURATION>', 'longest real time of one try').default('90s'))
    .addOption(new Option('--seed <N>', 'seed of the order of tries').default('1'))
    .addOption(
      new Option('--observe <URL|FILE>', 'where the application tells its state; {key} stands for the key; repeatable')
        .argParser((text: string, before: readonly string[]) => [...before, text])
        .default([], 'the last line of output, if it is a JSON object'),
    )
    .option('--ignore <FILE>', 'YAML file with the breaks that you live with')
    .option('--app <COMMAND>', 'command that starts the application, for a --story')
    .option('--wait-for <URL>', 'URL that responds when the application is ready; {port} stands for a free port')
    .option('--story <FILE>', 'scenario with http steps, played instead of a command')
    .addOption(new Option('--play', 'play the --story once, in the sandbox of the environment').hideHelp())
    .option('--json', 'print a JSON line for each try, and the report as the last line')
    .addHelpText('after', HELP)
    .allowExcessArguments(true)
    .passThroughOptions()
    .action(async (flags: Flags, command: Command) => {
      requireStory(command.args, userCommand, flags);
      if (flags.play === true) return playOnce(flags);
      const config = readConfig({
        flags: { clock: 'auto:150ms', port: '0', 'log-level': 'error', ...given(startFlags(command)) },
        env: process.env,
      });
      if (await run(config, flags, userCommand)) throw new QuietExit(1);
    });
}

const given = (flags: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)) as Record<string, string>;

function requireStory([stray]: readonly string[], command: readonly string[], { app, story }: Flags): void {
  if (stray !== undefined) {
    throw new CliFailure(2, `explore: "${stray}" stands before "--". Write explore [options] -- ${stray}.`);
  }
  if (command.length === 0 && story === undefined) {
    throw new CliFailure(
      2,
      'explore: no command is given. Write explore [options] -- npm test, or give --app and --story.',
    );
  }
  if (command.length > 0 && story !== undefined) {
    throw new CliFailure(2, 'explore: both --story and a command are given. Leave out one of them.');
  }
  if ((story === undefined) !== (app === undefined)) {
    throw new CliFailure(2, 'explore: --app and --story belong together. Give both.');
  }
}

function whole(flag: string, text: string, least: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw new CliFailure(2, `explore: Invalid value "${text}" for ${flag}. Expected a whole number from ${least} on.`);
}

function realTime(flag: string, text: string): number {
  try {
    return readDuration(24 * 3_600_000, '24h')(text);
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw new CliFailure(2, `explore: ${invalidValue(flag, error)}`, { cause: error });
  }
}

/** @returns whether something broke that is not ignored */
async function run(config: Config, flags: Flags, command: readonly string[]): Promise<boolean> {
  const settings = {
    budgetMs: realTime('--budget', flags.budget),
    mostRuns: whole('--max-runs', flags.maxRuns, 1),
    mostPairs: whole('--pairs', flags.pairs, 0),
    seed: whole('--seed', flags.seed, 0),
    ...(flags.ignore !== undefined && { ignores: readIgnores(flags.ignore) }),
    now: () => machineTime.monotonic(),
  };
  const timeoutMs = realTime('--timeout', flags.timeout);
  // A file or URL that all tries share would mix what they say.
  const shared = flags.observe.some((place) => !place.includes('{key}'));
  const fixedPort = flags.story !== undefined && !(flags.waitFor ?? '').includes('{port}');
  const lanes = shared || fixedPort ? 1 : whole('--parallel', flags.parallel, 1);
  const rules = new Map<string, readonly LoadedRule[]>();
  const log = openLog(config);
  const sandbox = await openSandbox(config, log, { rulesFor: (key) => rules.get(key) ?? [] });
  const stop = onInterrupt();
  let tries = 0;
  try {
    const play: Play = async (placed, patience) => {
      const key = `explore-${(tries += 1)}`;
      rules.set(key, loaded(placed));
      const variables = environmentFor(sandbox, { ...config, apiKeys: [key] });
      const account = accountOf(variables, config);
      const startedAt = await prepare(account, [], null);
      const limitMs = patience.realMs > 0 ? 2 * timeoutMs : timeoutMs;
      const ending = await playStory({ command, flags, variables, account, limitMs, patience });
      const facts = await readFacts(account, startedAt);
      rules.delete(key);
      await drop(account);
      // A server waits in real time, also if somebody moves the account's clock.
      return { ...ending, facts: { ...facts, steered: facts.steered && flags.story === undefined } };
    };
    const report = await explore({ ...settings, play, lanes, onProgress: progressTo(flags.json === true) });
    conclude(report, config, flags, command);
    return report.breaks.some(({ ignored }) => ignored === null);
  } catch (error) {
    if (!(error instanceof StoryFails)) throw error;
    throw new CliFailure(2, `explore: ${error.message} Let it pass in "messaging-sandbox exec" first.`, {
      cause: error,
    });
  } finally {
    stop();
    endProcesses();
    await closeSandbox(sandbox, log);
  }
}

const unhurried: Patience = { realMs: 20_000, isOver: () => false };

async function playOnce(flags: Flags): Promise<void> {
  const variables = requireSandbox(process.env);
  const { SANDBOX_URL: url = '', SANDBOX_KEY: key = '' } = variables;
  const account = sandboxAccount(
    openConnection({ url, key, controlToken: process.env['SANDBOX_CONTROL_TOKEN'] ?? null }),
  );
  const timeoutMs = realTime('--timeout', flags.timeout);
  const { failure, timedOut, said } = await appStory({
    flags,
    variables,
    account,
    timeoutMs,
    observe: flags.observe,
    patience: unhurried,
  });
  process.stdout.write(`${JSON.stringify(said)}\n`);
  if (failure !== null || timedOut)
    throw new CliFailure(1, `explore --play: ${failure ?? 'the story did not end in time'}.`);
}

interface StoryRun {
  readonly command: readonly string[];
  readonly flags: Flags;
  readonly variables: Readonly<Record<string, string>>;
  readonly account: SandboxAccount;
  readonly limitMs: number;
  readonly patience: Patience;
}

async function playStory({ command, flags, variables, account, limitMs, patience }: StoryRun): Promise<Ending> {
  const { observe } = flags;
  try {
    if (flags.story !== undefined)
      return await appStory({ flags, variables, account, timeoutMs: limitMs, observe, patience });
    return await runCommand({ command, variables, timeoutMs: limitMs, observe });
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    throw new CliFailure(2, `explore: "${command[0] ?? flags.app ?? ''}" cannot be run: ${error.message}.`, {
      cause: error,
    });
  }
}

function accountOf(
  { SANDBOX_URL: url = '', SANDBOX_KEY: key = '' }: Record<string, string>,
  config: Config,
): SandboxAccount {
  return sandboxAccount(openConnection({ url, key, controlToken: config.controlToken }));
}

function loaded(placed: readonly Placed[]): LoadedRule[] {
  return rulesOf(placed).map((rule) => ({ ...(rule as unknown as LoadedRule), source: { file: '', line: 0 } }));
}

function readIgnores(file: string) {
  if (!existsSync(file)) throw new CliFailure(2, `explore: --ignore: there is no file "${file}".`);
  try {
    return parseIgnores(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof IgnoreError) throw new CliFailure(2, `explore: --ignore: ${error.message}`, { cause: error });
    throw error;
  }
}

function onInterrupt(): () => void {
  const end = () => {
    endProcesses();
    process.exit(130);
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  return () => process.off('SIGINT', end).off('SIGTERM', end);
}
