import type { Command } from 'commander';
import type { components } from '../../generated/control.js';
import { connect, withClientFlags } from '../client.js';
import type { ClientFlags } from '../client.js';
import { CliFailure } from '../failure.js';
import { newCommand } from '../new-command.js';
import { print } from '../print.js';

type Keep = NonNullable<components['schemas']['ResetInput']['keep']>[number];

const KEEPABLE: readonly Keep[] = ['templates', 'webhooks', 'clock', 'scenario'];

/** `reset`: deletes the account's data, jobs and retries. */
export function define(): Command {
  const command = newCommand('reset', 'Empty the account: its messages, customers, codes, events, jobs and retries.');
  return withClientFlags(
    command.option('--keep <WHAT>', `what stays, as a comma list of ${KEEPABLE.join(', ')}`),
  ).action(async (flags: ClientFlags & { readonly keep?: string }) => {
    const keep = readKeep(flags.keep);
    const client = connect(flags);
    await client.call('POST', '/_sandbox/reset', { keep });
    const kept = keep.length === 0 ? '' : `; kept: ${keep.join(', ')}`;
    print(flags.json, { key: client.key, kept: keep }, [`The account ${client.key} is empty${kept}.`]);
  });
}

function readKeep(text = ''): readonly Keep[] {
  return text
    .split(/[,\s]+/)
    .filter((word) => word !== '')
    .map((word) => {
      const known = KEEPABLE.find((keepable) => keepable === word);
      if (known === undefined) {
        throw new CliFailure(2, `--keep: "${word}" cannot be kept by itself. Allowed: ${KEEPABLE.join(', ')}.`);
      }
      return known;
    });
}
