import { existsSync, readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { sandboxAccount } from '../../client/account.js';
import { readDuration } from '../../config/values.js';
import type { Config } from '../../config/index.js';
import { StoryFails } from '../../explore/baseline.js';
import { IgnoreError, parseIgnores } from '../../explore/ignore.js';
import type { Patience, Report } from '../../explore/types.js';
import { exploreApplication } from '../../runner/explore-application.js';
import { serverStory } from '../../runner/server-story.js';
import { commandStory, StoryError, type PlayStory } from '../../runner/story.js';
import { conclude, progressTo } from '../explore/conclude.js';
import { dialectFaults, openWorlds } from '../explore/worlds.js';
import { checkedValue } from '../checked-values.js';
import { CliFailure, failWith, QuietExit, UsageError } from '../failure.js';
import { newCommand, stopSignal } from '../command.js';
import { readConfig } from '../open-sandbox.js';
import { startFlags, withStartFlags } from '../start-flags.js';
import { connect } from '../client.js';

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

interface Flags {
  readonly app?: string;
  readonly waitFor?: string;
  readonly story?: string;
  readonly restart?: string | true;
  readonly vary?: string;
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
  readonly keep?: boolean;
  /** Where the scenario files of a story with an application are searched for. */
  readonly play?: boolean;
}

/**
 * `explore`: tries every failure, and reports the smallest that breaks the application.
 * @param userCommand the arguments after `--`
 */
export function define(userCommand: readonly string[]): Command {
  return withStartFlags(
    newCommand('explore', 'Try every failure, and report the smallest that breaks your application.'),
  )
    .usage('[options] -- CMD…')
    .option('--out <DIR>', 'folder for scenarios and reports', 'explore')
    .option('--budget <DURATION>', 'real time after which no new try begins', '5m')
    .option('--max-runs <N>', 'most tries', '2000')
    .option('--pairs <N>', 'maximum number of pairs of faults, tried after the single ones', '100')
    .option('--parallel <N>', 'tries side by side, where machine and application allow it', '6')
    .option('--timeout <DURATION>', 'time limit of one try, in real time', '90s')
    .option('--seed <N>', 'seed for the order of tries', '1')
    .addOption(
      new Option(
        '--observe <URL|FILE>',
        'file or URL with the state of the application; {key} stands for the key; repeatable',
      )
        .argParser((text: string, before: readonly string[]) => [...before, text])
        .default([], 'the last line of output, if it is a JSON object'),
    )
    .option('--ignore <FILE>', 'YAML file with known breaks to ignore')
    .option('--app <COMMAND>', 'command that starts the application, for a --story')
    .option('--wait-for <URL>', 'URL that responds when the application is ready; {port} stands for a free port')
    .option('--story <FILE>', 'scenario with http steps, played instead of a command')
    .option('--restart [COMMAND]', 'also restart the application in the middle of the story; --app needs no COMMAND')
    .addOption(new Option('--vary <WHAT>', 'also try each setting of the dialect').choices(['dialect']))
    .option('--keep', 'keep the page with the result until Ctrl-C')
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

function requireStory([stray]: readonly string[], command: readonly string[], { app, story, restart }: Flags): void {
  if (stray !== undefined) {
    throw new UsageError(`explore: "${stray}" must come after "--". Write explore [options] -- ${stray}.`);
  }
  if (command.length === 0 && story === undefined) {
    throw new UsageError(
      'explore: no command is given. Write explore [options] -- npm test, or add --app and --story.',
    );
  }
  if (command.length > 0 && story !== undefined) {
    throw new UsageError('explore: both --story and a command are given. Omit one of them.');
  }
  if ((story === undefined) !== (app === undefined)) {
    throw new UsageError('explore: --app and --story belong together. Give both.');
  }
  if (restart === true && app === undefined) {
    throw new UsageError("explore: --restart needs a command, such as --restart 'docker restart app', or --app.");
  }
}

function whole(flag: string, text: string, least: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw new UsageError(`explore: Invalid value "${text}" for ${flag}. Expected a whole number of at least ${least}.`);
}

const realTime = (flag: string, text: string): number =>
  checkedValue('explore', flag, () => readDuration(24 * 3_600_000, '24h')(text));

/** @returns whether something broke that is not ignored */
async function run(config: Config, flags: Flags, command: readonly string[]): Promise<boolean> {
  // If all tries share a file or URL, their results would be mixed.
  const shared = flags.observe.some((place) => !place.includes('{key}'));
  const fixedPort = flags.story !== undefined && !(flags.waitFor ?? '').includes('{port}');
  const lanes = whole('--parallel', flags.parallel, 1);
  const settings = {
    budgetMs: realTime('--budget', flags.budget),
    mostRuns: whole('--max-runs', flags.maxRuns, 1),
    mostPairs: whole('--pairs', flags.pairs, 0),
    seed: whole('--seed', flags.seed, 0),
    timeoutMs: realTime('--timeout', flags.timeout),
    lanes: shared || fixedPort ? 1 : lanes,
    restarts: flags.restart !== undefined,
    ...(flags.ignore !== undefined && { ignores: readIgnores(flags.ignore) }),
    ...(flags.vary !== undefined && { more: dialectFaults.bind(null, config.dialect) }),
  };
  const worlds = await openWorlds(config);
  const stop = onInterrupt();
  if (flags.json !== true) process.stderr.write(`Follow it at ${worlds.page}\n`);
  try {
    const onProgress = progressTo(flags.json === true, worlds.show);
    const report = await explored(() => {
      const story = storyOf(flags, command);
      return exploreApplication({ ...settings, story, onProgress, world: worlds.world });
    });
    conclude(report, config, flags, command, worlds.show);
    if (flags.keep === true) {
      process.stderr.write(`The result stays at ${worlds.page} until you press Ctrl-C.\n`);
      // The exit code is then that of the exploration.
      stop();
      await stopSignal();
    }
    return report.breaks.some(({ ignored }) => ignored === null);
  } finally {
    stop();
    await worlds.end();
  }
}

async function explored(explore: () => Promise<Report>): Promise<Report> {
  try {
    return await explore();
  } catch (error) {
    if (!(error instanceof StoryFails)) return failWith(2, StoryError, 'explore: ')(error);
    throw new UsageError(`explore: ${error.message} Make it pass in "messaging-sandbox exec" first.`, {
      cause: error,
    });
  }
}

function storyOf({ app = '', waitFor, story, observe, restart, play }: Flags, command: readonly string[]): PlayStory {
  const how = { observe, restart: typeof restart === 'string' ? restart : null };
  return story === undefined
    ? commandStory({ command, ...how })
    : serverStory({ app, waitFor: waitFor ?? null, story, ...how, isSetUp: play === true });
}

const unhurried: Patience = { realMs: 20_000, isOver: () => false };

/** Plays the --story once, in the sandbox given by the environment variables. */
async function playOnce(flags: Flags): Promise<void> {
  const { SANDBOX_URL: url, SANDBOX_KEY: key, MESSAGING_BASE_URL: base, MESSAGING_API_KEY: api } = process.env;
  if (!url || !key || !base || !api) {
    throw new UsageError(
      'explore --play: SANDBOX_URL is not set. Run messaging-sandbox scenario run FILE -- messaging-sandbox explore --play …',
    );
  }
  const variables = { SANDBOX_URL: url, SANDBOX_KEY: key, MESSAGING_BASE_URL: base, MESSAGING_API_KEY: api };
  const account = sandboxAccount(connect({}));
  const timeoutMs = realTime('--timeout', flags.timeout);
  try {
    const play = storyOf(flags, []);
    const { failure, timedOut, said } = await play({ variables, account, placed: [], timeoutMs, patience: unhurried });
    process.stdout.write(`${JSON.stringify(said)}\n`);
    if (failure !== null || timedOut)
      throw new CliFailure(1, `explore --play: ${failure ?? 'the story did not end in time'}.`);
  } catch (error) {
    failWith(2, StoryError, 'explore: ')(error);
  }
}

function readIgnores(file: string) {
  if (!existsSync(file)) throw new UsageError(`explore: --ignore: there is no file "${file}".`);
  try {
    return parseIgnores(readFileSync(file, 'utf8'), file);
  } catch (error) {
    return failWith(2, IgnoreError, 'explore: --ignore: ')(error);
  }
}

function onInterrupt(): () => void {
  // Stops the processes of the tries when this process ends.
  const end = () => process.exit(130);
  process.once('SIGINT', end).once('SIGTERM', end);
  return () => process.off('SIGINT', end).off('SIGTERM', end);
}
