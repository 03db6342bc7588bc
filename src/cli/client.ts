/** The commands that call a running sandbox: their flags, the connection that these describe, and their output. */
import type { Command } from 'commander';
import { settingsOf, variable } from '../client/client.js';
import { openConnection, type Connection } from '../client/connection.js';
import { SandboxError } from '../client/sandbox-error.js';
import { resolveConfig, urlOf } from '../config/index.js';
import { print } from './command.js';
import { UsageError } from '../failure.js';

export interface ClientFlags {
  readonly url?: string;
  readonly key?: string;
  readonly controlToken?: string;
  readonly json?: boolean;
}

/** Adds `--url`, `--key` and `--control-token` to a command. */
export function withServerFlags(command: Command): Command {
  return command
    .option('--url <URL>', 'URL of the sandbox (MESSAGING_BASE_URL; default http://127.0.0.1:4242)')
    .option('--key <KEY>', 'API key of the account (MESSAGING_API_KEY; default test_default)')
    .option('--control-token <TOKEN>', "the sandbox's control token (MESSAGING_CONTROL_TOKEN)");
}

/** Adds these and `--json`. */
export function withClientFlags(command: Command): Command {
  return withServerFlags(command).option('--json', 'print the response as JSON');
}

/** The output of a command: the response, for `--json`, and the lines about it. */
type Answer = readonly [response: unknown, lines: readonly string[]];
type Run = (client: Connection, flags: never, ...operands: never[]) => Promise<Answer>;

/** A command with the flags of a client: it makes calls, and prints the response. @param run receives the operands last */
export function clientCommand(command: Command, run: Run): Command {
  return answering(withClientFlags(command), run);
}

/** The same for a subcommand whose parent has the flags of a client, which can then stand before its name. */
export function answering(command: Command, run: Run): Command {
  return command.action(async (...given: unknown[]) => {
    const flags: ClientFlags = command.optsWithGlobals();
    print(flags.json, ...(await run(connect(flags), flags as never, ...(given.slice(0, -2) as never[]))));
  });
}

/**
 * Handler for `catch`: an error about a field of the call names the argument or option from which the field comes.
 * @throws UsageError
 */
export function inWordsOf(names: Readonly<Record<string, string>>) {
  return (error: unknown): never => {
    if (!(error instanceof SandboxError) || error.code !== 'validation_error') throw error;
    throw new UsageError(
      error.message.replace(/^\w+/, (field) => names[field] ?? field),
      { cause: error },
    );
  };
}

/** @throws ConfigError, CliFailure (2) or SandboxError `invalid_option` for flags or variables that cannot be used */
export const connect = (flags: ClientFlags): Connection => openConnection(connectionSettings(flags));

/**
 * Flags and variables as the settings of a connection. If neither names a sandbox, it is the one that the server's own
 * variables describe: a client in the server's container, such as its health check, needs no setting.
 * @throws CliFailure (2) if the system was to choose the port, SandboxError `invalid_option`
 */
export function connectionSettings(flags: ClientFlags) {
  const { PORT, SANDBOX_PORT, SANDBOX_HOST, SANDBOX_CONTROL_TOKEN, SANDBOX_TLS_CERT, SANDBOX_TLS_KEY } = process.env;
  if (flags.url !== undefined || variable('MESSAGING_BASE_URL') !== undefined) return settingsOf(flags, '--url');
  const config = resolveConfig({ env: { PORT, SANDBOX_PORT, SANDBOX_HOST, SANDBOX_TLS_CERT, SANDBOX_TLS_KEY } });
  if (config.port === 0) {
    throw new UsageError(
      'SANDBOX_PORT is 0, so the server took a free port; name it with --url or MESSAGING_BASE_URL.',
    );
  }
  const settings = settingsOf({ ...flags, url: urlOf(config, config.port) });
  // The certificate of the server itself is trusted, for any name.
  const certificate = config.tlsCert;
  return { ...settings, certificate, controlToken: settings.controlToken ?? (SANDBOX_CONTROL_TOKEN || null) };
}
