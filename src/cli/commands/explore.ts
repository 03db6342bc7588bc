import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Option, type Command } from 'commander';
import { parseDocument } from 'yaml';
import { readDuration, readValue, readWhole } from '../../config/values.js';
import { resolveConfig, type Config } from '../../config/index.js';
import { explore } from '../../explore/explorer.js';
import { ExploreError } from '../../explore/facts/error.js';
import { cellsNamed, parseIgnores } from '../../explore/faults/cell-names.js';
import { parseRequirements } from '../../explore/oracle/required.js';
import { storyFaultsIn } from '../../explore/faults/story-faults.js';
import { percentJudged, readWaits } from '../../explore/report.js';
import { playIn, type PlayStory } from '../../beside/story-play.js';
import { pausesIn, restartsIn, serverStory } from '../../beside/server-story.js';
import { readStory } from '../../beside/story-file.js';
import { commandStory, killsIn } from '../../beside/command-story.js';
import { machineTime, overAfter } from '../../time/system-clock.js';
import { conclude, progressTo, withEnd } from '../explore-output.js';
import { againCommand, filePlayer } from '../../beside/play-file.js';
import { roomOnMachine } from '../../beside/machine-room.js';
import { codesSetIn, hasRulesForCodes, openWorlds } from '../../beside/worlds.js';
import { shellWords } from '../command.js';
import { failWith, QuietExit, UsageError } from '../../failure.js';
import { startFlags, withSandboxFlags } from '../sandbox-flags.js';

const HELP = `
The command, such as a test suite, runs a few times without a fault, then once for each fault. Each run has its own key
(MESSAGING_API_KEY), a unique name (SANDBOX_TRY) and an empty folder (SANDBOX_TMP). A break is a difference that occurs in two runs
with the fault, and in no run without it. A cell is one fault at one point. In its name, * stands for any text: 'message.send*/503'.
Exit code: 0 if nothing broke; 1 if there is a break that --ignore does not list; 2 for a usage error, if the story cannot be
explored, or if fewer cells than --at-least were tried.

Examples:
  messaging-sandbox explore --budget 2m -- npm test
  messaging-sandbox explore --app 'npm start' --wait-for 'http://127.0.0.1:{port}/health' --story story.yaml`;

interface Flags {
  readonly app?: string;
  readonly waitFor?: string;
  readonly story?: string;
  readonly restart?: true;
  readonly reset?: string;
  readonly out: string;
  readonly budget: string;
  readonly parallel: string;
  readonly retryWithin?: string;
  readonly grace: string;
  readonly only: readonly string[];
  readonly ignore?: string;
  readonly require?: string;
  readonly atLeast: string;
  readonly strict?: true;
  readonly json?: boolean;
}

/** A command's time passes with the machine, and jumps when nothing happens; its output is the report's. */
const standards = { clock: 'auto:150ms', port: '0', 'log-level': 'error' };

/** `@FILE` stands for the lines of a file, such as the cells that were not tried. */
const cellsIn = (text: string, before: readonly string[]): readonly string[] => {
  if (!text.startsWith('@')) return [...before, text];
  const file = text.slice(1);
  if (!existsSync(file)) throw new UsageError(`explore: --only: there is no file "${file}".`);
  const lines = readFileSync(file, 'utf8').split('\n');
  return [...before, ...lines.filter((line) => line !== '')];
};

/**
 * `explore`: tries every failure, and reports what breaks the application.
 * @param userCommand the arguments after `--`
 */
export function define(command: Command, userCommand: readonly string[]): void {
  command
    .usage('[options] -- CMD…')
    .option('--app <COMMAND>', 'command that starts the application, for a --story; {port} stands for a free port')
    .option('--wait-for <URL>', 'URL that responds when the application is ready; {port} as in --app')
    .option('--story <FILE>', 'scenario with http steps, instead of a command')
    .option('--restart', 'in the middle of the story, restart the application, or kill and rerun the command')
    .option('--reset <COMMAND>', 'command that empties databases and files before each run')
    .option('--budget <DURATION>', 'real time for everything', '5m')
    .option('--parallel <N>', 'maximum number of runs in parallel', '32')
    .option('--retry-within <DURATION>', 'time in which the application repeats a failed call; default: measured')
    .option('--grace <DURATION>', 'real time for the application to finish after the story', '3s')
    .addOption(
      new Option('--only <CELL>', 'cells to try, or @FILE with a cell in each line; repeatable')
        .argParser(cellsIn)
        .default([], 'all'),
    )
    .option('--ignore <FILE>', 'YAML file that maps cells to the reason why they are allowed to break')
    .option('--require <FILE>', 'YAML file that maps cells to a message that must be sent after their fault')
    .option('--out <DIR>', 'folder for scenarios and reports', 'explore')
    .option('--at-least <PERCENT>', 'percentage of the cells that must be tried; otherwise exit code 2', '50')
    .option('--strict', 'fail for doubtful differences as well')
    .option('--json', 'print a JSON line for each try, and the report as the last line');
  withSandboxFlags(command, standards)
    .addHelpText('after', HELP)
    .allowExcessArguments(true)
    .passThroughOptions()
    .action(async (flags: Flags) => {
      requireStory(command.args, userCommand, flags);
      const config = resolveConfig({
        flags: { ...standards, ...given(startFlags(command)) },
        env: process.env,
      });
      if (await run(config, flags, userCommand)) throw new QuietExit(1);
    });
}

const given = (flags: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)) as Record<string, string>;

function requireStory([stray]: readonly string[], command: readonly string[], { app, story }: Flags): void {
  const fail = (text: string): never => {
    throw new UsageError(`explore: ${text}`);
  };
  if (stray !== undefined) fail(`"${stray}" must come after "--". Write explore [options] -- ${stray}.`);
  if ((story === undefined) !== (app === undefined)) fail('--app and --story belong together. Give both.');
  if (command.length === 0 && story === undefined) {
    fail('no command is given. Write explore [options] -- npm test, or add --app and --story.');
  }
  if (command.length > 0 && story !== undefined) fail('both --story and a command are given. Omit one of them.');
}

const duration = (flag: string, text: string): number => readValue(flag, () => readDuration(86_400_000, '24h')(text));

/** Without --retry-within, an application is waited for as long as a minute, and a third of the budget. */
const longestMsOf = ({ retryWithin }: Flags, budgetMs: number): number =>
  retryWithin === undefined ? Math.min(60_000, budgetMs / 3) : duration('--retry-within', retryWithin);

/** Machine milliseconds for which applications that are stopped at the end of the budget are waited for. */
const stopMs = 2_000;

/** @returns whether something broke that is not ignored */
async function run(config: Config, flags: Flags, command: readonly string[]): Promise<boolean> {
  const { out, only, json = false, ignore, require, story, app = '', waitFor = null } = flags;
  const beganMs = machineTime.monotonic();
  const budgetMs = duration('--budget', flags.budget);
  const graceMs = duration('--grace', flags.grace);
  const recoveryMs = longestMsOf(flags, budgetMs);
  const atLeast = readValue('--at-least', () => readWhole(0, 100)(flags.atLeast));
  const lanes = readValue('--parallel', () => readWhole(1, 9999)(flags.parallel));
  const wanted = only.length > 0 ? cellsNamed(only, '--only') : null;
  const ignored = ignore === undefined ? null : readGiven('--ignore', ignore, parseIgnores);
  const required = require === undefined ? null : readGiven('--require', require, parseRequirements);
  const file = story === undefined ? null : failing(() => readStory(story));
  const base = baseOf(config);
  // If all tries share a port, they would meet.
  const hasFixedPort = file !== null && !`${app} ${waitFor ?? ''}`.includes('{port}');
  const play: PlayStory = file ? serverStory({ app, waitFor, story: file, graceMs }) : commandStory(command);
  const parts = JSON.stringify([command, app, file]);
  const named = createHash('sha256').update(parts).digest('hex').slice(0, 16);
  const operands = (steered: boolean) =>
    file
      ? ['--app', app, ...(waitFor === null ? [] : ['--wait-for', waitFor])]
      : [...(steered ? ['--clock', 'frozen'] : []), '--', ...command];
  const documents = [base && (parseDocument(base.text).toJS() as unknown), file?.scenario];
  const worlds = await openWorlds(config, flags.reset ?? null, hasRulesForCodes(documents));
  const stop = onInterrupt();
  // The rest is for stopping what runs, and for the reports.
  const deadlineMs = beganMs + Math.max(0.85 * budgetMs, budgetMs - 8_000);
  try {
    const report = await explore({
      play: playIn(worlds.world, play),
      how: {
        command: (name, steered) => {
          const words = shellWords([join(out, name), ...operands(steered)]);
          return againCommand(`npx messaging-sandbox scenario run ${words}`, flags.reset ?? null);
        },
        extends: base?.name ?? null,
        story: file,
      },
      playFile: filePlayer({ operands, base, ownVariables: worlds.ownVariables }),
      lanes: hasFixedPort ? 1 : lanes,
      hasRoom: roomOnMachine(),
      deadlineMs,
      over: overAfter(deadlineMs + stopMs - machineTime.monotonic()),
      ...{ longestMs: recoveryMs, outlasts: flags.retryWithin !== undefined },
      more: (points) => [
        ...(flags.restart !== true ? [] : file ? restartsIn(file, points) : killsIn(points)),
        ...(file ? [...storyFaultsIn(file, points), ...pausesIn(file, points)] : []),
      ],
      ...(wanted && { only: wanted.fits, waits: readWaits(textOf(join(out, 'report.json')), named) }),
      setsCode: codesSetIn(documents),
      ...(ignored && { ignored }),
      ...(required && { required: required.messageAfter }),
      ...progressTo(json),
      now: () => machineTime.monotonic(),
    }).catch((error: unknown) => {
      if (machineTime.monotonic() >= deadlineMs && (error as Partial<ExploreError>).isLate !== false) {
        const faster = file ? ', or a story with fewer values of "at" and shorter waits' : '';
        const [calls = ''] = / Rejected calls: .*?(?= Without a fault,|$)/.exec((error as Error).message) ?? [];
        throw new UsageError(
          `explore: ${flags.budget} is too short for the runs without faults. Give a longer --budget${faster}.${calls}`,
          { cause: error },
        );
      }
      return failWith(2, ExploreError, 'explore: ')(withEnd(error, out));
    });
    const notes = [...report.notes, ...(wanted?.notes() ?? []), ...(required?.notes(report.cells) ?? [])];
    const hasBroken = await conclude({ ...report, notes }, { ...flags, named }, base);
    if (report.cells.length === 0) {
      throw new UsageError(
        only.length === 0
          ? 'explore: no call or delivery of the story can fail, so there is nothing to try.'
          : `explore: --only ${only.map((name) => `'${name}'`).join(' --only ')} fits no cell of the story. Cells are named as in report.json, such as 'message.send*/503'.`,
      );
    }
    if (!hasBroken && percentJudged(report) < atLeast) {
      throw new UsageError(
        `explore: ${percentJudged(report)} % of the cells were tried, which says too little: at least ${atLeast} % must be ` +
          `(--at-least). Give a longer --budget than ${flags.budget}, name fewer cells with --only, or lower --at-least.`,
      );
    }
    return hasBroken;
  } finally {
    stop();
    await worlds.end();
    // What was abandoned at the end of the budget must not keep the process alive.
    if (machineTime.monotonic() >= deadlineMs) machineTime.setTimer(500, () => process.exit(), { unref: true });
  }
}

function failing<T>(work: () => T, before = 'explore: '): T {
  try {
    return work();
  } catch (error) {
    return failWith(2, ExploreError, before)(error);
  }
}

/** A scenario file can only extend files in its folder, or known scenarios by name. */
function baseOf({ scenarios: [scenario] }: Config): { name: string; text: string } | null {
  if (scenario === undefined || !existsSync(scenario)) return null;
  return { name: `base-${basename(scenario)}`, text: readFileSync(scenario, 'utf8') };
}

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

function readGiven<T>(flag: string, file: string, read: (text: string, file: string) => T): T {
  if (!existsSync(file)) throw new UsageError(`explore: ${flag}: there is no file "${file}".`);
  return failing(() => read(readFileSync(file, 'utf8'), file), `explore: ${flag}: `);
}

function onInterrupt(): () => void {
  // Stops the applications of the exploration when this process ends.
  const end = () => process.exit(130);
  process.once('SIGINT', end).once('SIGTERM', end);
  return () => process.off('SIGINT', end).off('SIGTERM', end);
}
