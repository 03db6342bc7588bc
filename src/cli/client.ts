/** The flags of every client command, and the connection that they describe. */
import type { Command } from 'commander';
import { openConnection, type Connection } from '../client/connection.js';
import { print } from './command.js';
import { ownToken, serverUrl } from './server-url.js';

export interface ClientFlags {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly controlToken?: string | undefined;
  readonly json?: boolean;
}

/** Adds `--key` and `--control-token` to a command. */
export function withKeyFlags(command: Command): Command {
  return command
    .option('--key <KEY>', 'API key of the account (MESSAGING_API_KEY; default test_default)')
    .option('--control-token <TOKEN>', "the sandbox's control token (MESSAGING_CONTROL_TOKEN)");
}

/** Adds `--url`, `--key`, `--control-token` and `--json` to a command. */
export function withClientFlags(command: Command): Command {
  command.option('--url <URL>', 'URL of the sandbox (MESSAGING_BASE_URL; default http://127.0.0.1:4242)');
  return withKeyFlags(command).option('--json', 'print the response as JSON');
}

/** Allows these flags before the name of a subcommand as well; flags after the name take precedence. */
export function withClientFlagsBefore(command: Command): Command {
  return withClientFlags(command)
    .enablePositionalOptions()
    .hook('preAction', (_command, called) => {
      for (const [name, value] of Object.entries(command.opts())) {
        if (called.getOptionValueSource(name) === undefined) called.setOptionValue(name, value);
      }
    });
}

/** The response of a command, for `--json`, and the lines about it. */
type Answer = readonly [response: unknown, lines: readonly string[]];

/** A command with the flags of a client: it makes calls, and prints the response. @param run receives the operands last */
export function clientCommand(
  command: Command,
  run: (client: Connection, flags: never, ...operands: never[]) => Promise<Answer>,
): Command {
  return withClientFlags(command).action(async (...given: unknown[]) => {
    const flags = given.at(-2) as ClientFlags;
    const answer = await run(connect(flags), flags as never, ...(given.slice(0, -2) as never[]));
    print(flags.json, ...answer);
  });
}

/** Flags and variables as the settings of a connection. @throws CliFailure (2) */
export function settingsOf(flags: ClientFlags, env: NodeJS.ProcessEnv = process.env, urlFlag?: string) {
  return {
    url: serverUrl(flags.url, env, urlFlag),
    key: flags.key ?? (env['MESSAGING_API_KEY'] || 'test_default'),
    controlToken: (flags.controlToken ?? env['MESSAGING_CONTROL_TOKEN'] ?? ownToken(flags.url, env)) || null,
  };
}

/** @throws CliFailure (2) or SandboxError `invalid_option` for flags or variables that cannot be used */
export const connect = (...given: Parameters<typeof settingsOf>): Connection => openConnection(settingsOf(...given));
