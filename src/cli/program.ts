/** Only the requested command is loaded, so that each starts quickly. */
import { Command, CommanderError } from 'commander';
import { version } from '../version.js';
import { prepared } from './command.js';
import { exitCodeOf } from './exit-code.js';
import { withStartFlags } from './sandbox-flags.js';
import { usageError } from './usage-error.js';

type Define = (command: Command, userCommand: readonly string[]) => unknown;

/** A module exports its command under the command's name. */
const row = <Name extends string>(
  name: Name,
  description: string,
  load: () => Promise<{ readonly [Export in Name]: Define }>,
) => ({
  name,
  description,
  define: async (userCommand: readonly string[] = []): Promise<Command> => {
    const command = prepared(new Command(name)).description(description);
    (await load())[name](command, userCommand);
    return command;
  },
});

const account = () => import('./commands/account.js');
const reports = () => import('./commands/reports.js');
const documents = () => import('./commands/documents.js');

export const commands = [
  row(
    'start',
    'start the sandbox and run it until SIGTERM or SIGINT (the default command)',
    () => import('./commands/start.js'),
  ),
  row(
    'exec',
    'run a command with a new sandbox, and report the verdict and failures',
    () => import('./commands/exec.js'),
  ),
  row('scenario', 'check, list, activate and run scenario files', () => import('./commands/scenario.js')),
  row('listen', 'forward deliveries from the sandbox to your server', () => import('./commands/listen.js')),
  row('clock', "show the account's clock, and move it", () => import('./commands/clock.js')),
  row('inbound', 'write to the account as a customer: opens the 24-hour window and sends message.received', account),
  row('trigger', 'send a signed event to the registered endpoints', account),
  row(
    'coverage',
    'report which operations, errors and states your application used, and how to cause the others',
    reports,
  ),
  row('verdict', 'print the verdict: which checks of the scenario passed', reports),
  row(
    'certify',
    'send valid, forged, unusual and corrupt events to your receiver, and score its responses',
    () => import('./commands/certify.js'),
  ),
  row(
    'explore',
    'inject every fault into a test or story, and report the faults that break your application',
    async () => ({
      explore: (await import('./commands/explore.js')).define,
    }),
  ),
  row(
    'dialect',
    'adapt the sandbox to the forms of your real service, from recorded traffic',
    () => import('./commands/dialect.js'),
  ),
  row('reset', 'empty the account, including its templates, endpoints and scenario', account),
  row('record', 'write the history of the account as a scenario or an HTTP Archive', reports),
  row('mcp', 'serve the Model Context Protocol on stdin and stdout, for agents', () => import('./commands/mcp.js')),
  row('openapi', 'print the OpenAPI document of the emulated service; needs no running sandbox', documents),
  row('schema', 'print the JSON Schema (draft-07) of scenario files; needs no running sandbox', documents),
  row(
    'readyz',
    'exit with 0 if the sandbox is ready; with 1 if it is not ready, or does not respond within 2 s',
    () => import('./commands/readyz.js'),
  ),
];

/** The commands that `-- CMD…` may follow. It is the user's command, and its flags are not ours. */
const runsCommand = new Set<string | undefined>(['exec', 'scenario', 'explore']);

const ofTheProgram = new Set(['--help', '-h', '--version', '-V']);

/** The exit code is 0; 1 if the command failed; 2 for invalid usage; for `exec`, the exit code of its command. */
export function run(args: readonly string[]): Promise<number> {
  return exitCodeOf(async () => {
    const [first = 'start'] = args;
    const isImplied = args.length === 0 || (first.startsWith('-') && !ofTheProgram.has(first));
    const words = isImplied ? ['start', ...args] : args;
    const called = words[0] === 'help' ? words[1] : words[0];
    const cut = runsCommand.has(called) ? words.indexOf('--') : -1;
    const [own, userCommand] = cut === -1 ? [words, []] : [words.slice(0, cut), words.slice(cut + 1)];
    const program = await programFor(called, userCommand);
    await program.parseAsync(own, { from: 'user' }).catch((error: unknown): never => {
      // A command without its subcommand has printed its help, and so has --help.
      const isWorded = error instanceof CommanderError && error.exitCode !== 0 && error.code !== 'commander.help';
      throw isWorded ? usageError(error, namesOf(program, words)) : error;
    });
  });
}

/** Names the command, and its subcommand, with which the arguments begin. */
function namesOf(command: Command, [first, ...others]: readonly string[]): readonly string[] {
  const named = command.commands.find((one) => one.name() === first);
  return named ? [named.name(), ...namesOf(named, others)] : [];
}

async function programFor(called: string | undefined, userCommand: readonly string[]): Promise<Command> {
  const program = prepared(new Command('messaging-sandbox'))
    .description('A local sandbox that stands in for a business messaging service.')
    .usage('[command] [options]')
    .version(version, '-V, --version', 'print the version')
    .enablePositionalOptions()
    .addHelpText(
      'after',
      '\nThe options are the same as for "start". Each can also be set by its variable; a flag takes precedence over a variable.' +
        '\n"messaging-sandbox COMMAND --help" describes a command.',
    );
  for (const { name, description, define } of commands) {
    program.addCommand(name === called ? await define(userCommand) : new Command(name).description(description));
  }
  return commands.some(({ name }) => name === called) ? program : withStartFlags(program);
}
