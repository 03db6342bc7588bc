/** The program and its commands. Only the requested one is loaded, so that each starts quickly. */
import { Command } from 'commander';
import { version } from '../version.js';
import { newCommand } from './command.js';
import { exitCodeOf } from './failure.js';
import { withStartFlags } from './open-sandbox.js';

/** Makes a command. @param userCommand the arguments after `--`, for the commands of `runsCommand` */
type Define = (userCommand: readonly string[]) => Command;

/** A command, which its module exports under its name, or as the only one. */
const row = (name: string, summary: string, load: () => Promise<object>) => ({
  name,
  summary,
  load: async (): Promise<Define> => {
    const module = (await load()) as Readonly<Record<string, Define | undefined>>;
    const define = module[name] ?? module['define'];
    if (!define) throw new TypeError(`There is no command ${name}.`);
    return define;
  },
});

const account = () => import('./commands/account.js');
const reports = () => import('./commands/reports.js');
const documents = () => import('./commands/documents.js');

/** Every command, with its line in the help. */
export const commands = [
  row('start', 'start the sandbox (the default command)', () => import('./commands/start.js')),
  row('exec', 'run a command with a sandbox, and report on it', () => import('./commands/exec.js')),
  row('scenario', 'check, list, activate and play scenario files', () => import('./commands/scenario.js')),
  row('listen', 'forward deliveries to a server on this machine', () => import('./commands/listen.js')),
  row('clock', "show an account's clock, and move it", () => import('./commands/clock.js')),
  row('inbound', 'write to the account as a customer', account),
  row('trigger', 'send a signed event to the registered endpoints', account),
  row('coverage', 'report which operations, errors and states a run exercised', reports),
  row('verdict', 'print whether the application did what the scenario expects', reports),
  row(
    'certify',
    'send every webhook fault to your own receiver, and score its responses',
    () => import('./commands/certify.js'),
  ),
  row(
    'explore',
    'try every failure, and report the smallest that breaks your application',
    () => import('./commands/explore.js'),
  ),
  row('reset', 'empty the account', account),
  row('record', 'write the history of the account as a scenario or an archive', reports),
  row('mcp', 'serve the Model Context Protocol on stdin and stdout, for agents', () => import('./commands/mcp.js')),
  row('openapi', 'print the OpenAPI document of the emulated service', documents),
  row('schema', 'print the JSON Schema of scenario files', documents),
  row('readyz', 'exit with 0 if the sandbox is ready, otherwise with 1', () => import('./commands/start.js')),
];

/** The commands that `-- CMD…` may follow. It is the user's command, and its flags are not ours. */
const runsCommand = new Set<string | undefined>(['exec', 'scenario', 'explore']);

const ofTheProgram = new Set(['--help', '-h', '--version', '-V']);

/**
 * Runs one command.
 * @returns the exit code: 0; 1 if it failed; 2 for invalid usage; for `exec`, that of its command
 */
export function run(args: readonly string[]): Promise<number> {
  return exitCodeOf(async () => {
    const [first = 'start'] = args;
    const isImplied = args.length === 0 || (first.startsWith('-') && !ofTheProgram.has(first));
    const words = isImplied ? ['start', ...args] : args;
    const called = words[0] === 'help' ? words[1] : words[0];
    const cut = runsCommand.has(called) ? words.indexOf('--') : -1;
    const [own, userCommand] = cut === -1 ? [words, []] : [words.slice(0, cut), words.slice(cut + 1)];
    await (await programFor(called, userCommand)).parseAsync(own, { from: 'user' });
  });
}

/** Returns the program, in which all commands but one have only a name. */
async function programFor(called: string | undefined, userCommand: readonly string[]): Promise<Command> {
  const program = newCommand('messaging-sandbox', 'A local sandbox that stands in for a business messaging service.')
    .usage('[command] [options]')
    .version(version, '-V, --version', 'print the version')
    .enablePositionalOptions()
    .showHelpAfterError('See messaging-sandbox --help.')
    .addHelpText(
      'after',
      '\nThe options are those of "start". Each can also be set by its variable; a flag takes precedence over a variable.' +
        '\n"messaging-sandbox COMMAND --help" describes a command.',
    );
  for (const { name, summary, load } of commands) {
    program.addCommand(name === called ? (await load())(userCommand) : new Command(name).description(summary));
  }
  return commands.some(({ name }) => name === called) ? program : withStartFlags(program);
}
