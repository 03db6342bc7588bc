import { Argument, type Command } from 'commander';
import type { components } from '../../generated/control.js';
import { connect, withClientFlags, type ClientFlags } from '../client.js';
import { newCommand } from '../new-command.js';
import { print } from '../print.js';

/** `fork TO`: copies the account of `--key` to another key. */
export function define(): Command {
  const command = newCommand(
    'fork',
    'Copy the current state of the account of --key to another key, with its clock frozen.',
  );
  return withClientFlags(
    command.addArgument(new Argument('<TO>', 'API key of the new account; it must not have an account yet')),
  ).action(async (to: string, flags: ClientFlags) => {
    const client = connect(flags);
    const path = `/_sandbox/accounts/${encodeURIComponent(client.key)}/fork`;
    const fork = await client.call<components['schemas']['Account']>('POST', path, { to });
    print(flags.json, fork, [
      `The account ${client.key} is forked to ${fork.key}. Its clock is frozen at ${fork.now}.`,
    ]);
  });
}
