/** The flags of every client command, and the connection that they describe. */
import type { Command } from 'commander';
import { openConnection, type Connection } from '../client/connection.js';
import { print } from './command.js';
import { UsageError } from './failure.js';
import { addressOf, reachableHost, readConfig } from './open-sandbox.js';

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

/** The response of a command, for `--json`, and the lines about it. */
type Answer = readonly [response: unknown, lines: readonly string[]];
type Run = (client: Connection, flags: never, ...operands: never[]) => Promise<Answer>;

/** A command with the flags of a client: it makes calls, and prints the response. @param run receives the operands last */
export function clientCommand(command: Command, run: Run): Command {
  return answering(withClientFlags(command), run);
}

/** The same for a subcommand whose parent has the flags of a client, which may then stand before its name, too. */
export function answering(command: Command, run: Run): Command {
  return command.action(async (...given: unknown[]) => {
    const flags: ClientFlags = command.optsWithGlobals();
    print(flags.json, ...(await run(connect(flags), flags as never, ...(given.slice(0, -2) as never[]))));
  });
}

/** Flags and variables as the settings of a connection. @throws CliFailure (2) */
export function settingsOf({ url, key, controlToken }: ClientFlags) {
  const { env } = process;
  const named = url ?? (env['MESSAGING_BASE_URL']?.trim() || undefined);
  // A client in the server's container, such as its health check, takes the token from the server's own variable.
  const ownToken = named === undefined ? env['SANDBOX_CONTROL_TOKEN'] : undefined;
  return {
    url: serverUrl(url),
    key: key ?? (env['MESSAGING_API_KEY'] || 'test_default'),
    controlToken: (controlToken ?? env['MESSAGING_CONTROL_TOKEN'] ?? ownToken) || null,
  };
}

/** @throws CliFailure (2) or SandboxError `invalid_option` for flags or variables that cannot be used */
export const connect = (flags: ClientFlags): Connection => openConnection(settingsOf(flags));

/**
 * Returns the address of the sandbox: `--url`, `MESSAGING_BASE_URL`, or the address in the server's own variables. With
 * these, a client in the server's container, such as its health check, needs no setting. The address has no trailing
 * slash.
 * @throws CliFailure if it is not an http(s) URL, or if the system was to choose the port
 */
export function serverUrl(flag: string | undefined): string {
  const { MESSAGING_BASE_URL, PORT, SANDBOX_PORT, SANDBOX_HOST } = process.env;
  const text = flag ?? MESSAGING_BASE_URL?.trim() ?? '';
  if (flag === undefined && text === '') {
    const { port, host } = readConfig({ env: { PORT, SANDBOX_PORT, SANDBOX_HOST } });
    if (port !== 0) return addressOf('http', reachableHost(host), port);
    throw new UsageError(
      'SANDBOX_PORT is 0, so the server took a free port; name it with --url or MESSAGING_BASE_URL.',
    );
  }
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).href.replace(/\/+$/, '');
  const source = flag === undefined ? 'MESSAGING_BASE_URL' : '--url';
  throw new UsageError(
    `Invalid value "${text}" for ${source}. Expected the URL of a sandbox, such as http://127.0.0.1:4242.`,
  );
}
