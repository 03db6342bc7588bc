import type { Command } from 'commander';
import { parseClockSetting } from '../../config/values.js';
import { isoTime } from '../../domain/instant.js';
import type { components } from '../../generated/control.js';
import { checkedValue } from '../checked-values.js';
import { connect, withClientFlags } from '../client.js';
import type { ClientFlags } from '../client.js';
import { CliFailure } from '../failure.js';
import { newCommand } from '../new-command.js';
import { print } from '../print.js';
import { isPath } from '../scenario/named.js';
import { activate } from '../scenario/use.js';

type ClockInput = components['schemas']['ClockInput'];
type Keep = NonNullable<components['schemas']['ResetInput']['keep']>[number];

const KEEPABLE: readonly Keep[] = ['templates', 'webhooks', 'clock', 'scenario'];

interface Flags extends ClientFlags {
  readonly keep?: string;
  readonly clock?: string;
  readonly scenario?: string;
}

/** `reset`: deletes the account's data, jobs and retries. */
export function define(): Command {
  const command = newCommand('reset', 'Empty the account: its messages, customers, codes, events, jobs and retries.')
    .option('--keep <WHAT>', `state to keep: a comma-separated list of ${KEEPABLE.join(', ')}`)
    .option('--clock <MODE>', 'initial clock: real, frozen, frozen:2026-03-01T09:00:00Z, x60 or auto')
    .option('--scenario <SCENARIO>', 'starting scenario, by name or by path');
  return withClientFlags(command).action(async (flags: Flags) => {
    const keep = readKeep(flags.keep);
    for (const name of ['clock', 'scenario'] as const) {
      if (flags[name] !== undefined && keep.includes(name))
        throw new CliFailure(2, `reset: --${name} and --keep ${name} exclude each other. Omit one of them.`);
    }
    const client = connect(flags);
    const clock = flags.clock === undefined ? undefined : clockInput(flags.clock);
    const { scenario } = flags;
    const isFile = scenario !== undefined && isPath(scenario);
    await client.call('POST', '/_sandbox/reset', { keep, clock, scenario: isFile ? undefined : scenario });
    if (isFile) {
      await activate(client, scenario);
      // The file may set a clock itself.
      if (clock) await client.call('PUT', '/_sandbox/clock', clock);
    }
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
        throw new CliFailure(2, `Invalid value "${word}" for --keep. Expected one or more of ${KEEPABLE.join(', ')}.`);
      }
      return known;
    });
}

/** @throws CliFailure (2) */
function clockInput(text: string): ClockInput {
  const { mode, scale, startMs, quietMs } = checkedValue('reset', '--clock', () => parseClockSetting(text));
  return {
    mode,
    ...(mode === 'scaled' && { scale }),
    ...(startMs !== null && { now: isoTime(startMs) }),
    ...(quietMs !== undefined && { quiet_real: `${quietMs}ms` }),
  };
}
