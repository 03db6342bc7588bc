/** The program and its commands. Only the requested one is loaded, so that each starts quickly. */
import { Command } from 'commander';
import { version } from '../version.js';
import { newCommand } from './command.js';
import { exitCodeOf } from './failure.js';
import { withStartFlags } from './start-flags.js';

/** Makes a command. @param userCommand the arguments after `--`, for the commands of `runsCommand` */
type Define = (userCommand: readonly string[]) => Command;

const row = (name: string, summary: string, load: () => Promise<Define>) => ({ name, summary, load });

/** Every command, with its line in the help. */
export const commands = [
  row('start', 'start the sandbox (the default command)', async () => (await import('./commands/start.js')).define),
  row(
    'exec',
    'run a command with a sandbox, and report on it',
    async () => (await import('./commands/exec.js')).define,
  ),
  row(
    'scenario',
    'check, list, activate and play scenario files',
    async () => (await import('./commands/scenario.js')).define,
  ),
  row(
    'listen',
    'forward deliveries to a server on this machine',
    async () => (await import('./commands/listen.js')).define,
  ),
  row('clock', "show an account's clock, and move it", async () => (await import('./commands/clock.js')).define),
  row('inbound', 'write to the account as a customer', async () => (await import('./commands/account.js')).inbound),
  row(
    'trigger',
    'send a signed event to the registered endpoints',
    async () => (await import('./commands/account.js')).trigger,
  ),
  row(
    'coverage',
    'report which operations, errors and states a run exercised',
    async () => (await import('./commands/reports.js')).coverage,
  ),
  row(
    'verdict',
    'print whether the application did what the scenario expects',
    async () => (await import('./commands/reports.js')).verdict,
  ),
  row(
    'certify',
    'send every webhook fault to your own receiver, and score its responses',
    async () => (await import('./commands/certify.js')).define,
  ),
  row(
    'explore',
    'try every failure, and report the smallest that breaks your application',
    async () => (await import('./commands/explore.js')).define,
  ),
  row('reset', 'empty the account', async () => (await import('./commands/account.js')).reset),
  row(
    'record',
    'write the history of the account as a scenario or an archive',
    async () => (await import('./commands/record.js')).define,
  ),
  row(
    'mcp',
    'serve the Model Context Protocol on stdin and stdout, for agents',
    async () => (await import('./commands/mcp.js')).define,
  ),
  row(
    'openapi',
    'print the OpenAPI document of the emulated service',
    async () => (await import('./commands/documents.js')).openapi,
  ),
  row(
    'schema',
    'print the JSON Schema of scenario files',
    async () => (await import('./commands/documents.js')).schema,
  ),
  row(
    'readyz',
    'exit with 0 if the sandbox is ready, otherwise with 1',
    async () => (await import('./commands/readyz.js')).define,
  ),
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
