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

export function withServerFlags(command: Command): Command {
  return command
    .option('--url <URL>', 'URL of the sandbox (MESSAGING_BASE_URL; default http://127.0.0.1:4242)')
    .option('--key <KEY>', 'API key of the account (MESSAGING_API_KEY; default test_default)')
    .option('--control-token <TOKEN>', "the sandbox's control token (MESSAGING_CONTROL_TOKEN)");
}

export function withClientFlags(command: Command): Command {
  return withServerFlags(command).option('--json', 'print the response as JSON');
}

type Answer = readonly [response: unknown, lines: readonly string[]];
type Run = (client: Connection, flags: never, ...operands: never[]) => Promise<Answer>;

export function clientCommand(command: Command, run: Run): Command {
  return answering(withClientFlags(command), run);
}

/** The parent of this subcommand has the flags of a client, which can then stand before its name. */
export function answering(command: Command, run: Run): Command {
  return command.action(async (...given: unknown[]) => {
    const flags: ClientFlags = command.optsWithGlobals();
    print(flags.json, ...(await run(connect(flags), flags as never, ...(given.slice(0, -2) as never[]))));
  });
}

/**
 * Handler for `catch`: an error about a field of the call names the argument or option of that field.
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

export const connect = (flags: ClientFlags): Connection => openConnection(connectionSettings(flags));

/**
 * Without a named sandbox, the server's own variables describe it: a client in the server's container, such as its
 * health check, needs no setting.
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
