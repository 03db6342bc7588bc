import { Option } from 'commander';
import type { Command } from 'commander';
import type { Clock, Verdict } from '../../client/types.js';
import { PACES, flow, type FlowEnd, type Pace } from '../../runner/flow.js';
import { parseDuration } from '../../time/duration.js';
import { checkedDuration } from '../checked-values.js';
import { connect, withClientFlags, type ClientFlags } from '../client.js';
import { mayColour, print } from '../command.js';
import { QuietExit } from '../failure.js';
import { SignalRelay } from '../user-command.js';
import { verdictLines, verdictSummary } from '../../reports/verdict-formats.js';
import { activate, isPath } from './named.js';
import { ProgressLine } from './progress-line.js';

interface Flags extends ClientFlags {
  readonly clock: Pace;
  readonly quiet: string;
}

const HELP = `
The application is already running and calls the sandbox with the same key. Afterwards the clock runs as it did before, and the
scenario stays active. Exit code 1 if a check failed or the scenario was not played to its end.

Example:
  messaging-sandbox scenario play busy-day.yaml --url http://127.0.0.1:4242 --key shop`;

/** `scenario play`: plays a scenario to its end in a running sandbox, and evaluates it. */
export function addPlay(scenario: Command): void {
  withClientFlags(
    scenario
      .command('play')
      .description('activate a scenario in a running sandbox, play it to its end, and print its verdict')
      .argument('<scenario>', 'a name that the sandbox knows, or the path of a file')
      .addOption(new Option('--clock <CLOCK>', 'how time passes, as in "scenario run"').choices(PACES).default('flow'))
      .option('--quiet <DURATION>', 'how long the application must be idle before time jumps', '500ms')
      .addHelpText('after', HELP),
  ).action(async (wanted: string, flags: Flags) => {
    const client = connect(flags);
    const quietMs = parseDuration(checkedDuration('--quiet', flags.quiet));
    const before = await client.call<Clock>('GET', '/_sandbox/clock');
    const active = await activate(client, wanted);
    const name = isPath(wanted) ? wanted : (active.name ?? wanted);
    const progress = new ProgressLine(process.stderr, false);
    const relay = new SignalRelay();
    try {
      const end = await flow({
        sandbox: client,
        pace: flags.clock,
        quietMs,
        graceMs: 0,
        toTheEnd: true,
        signal: relay.stopped,
        onProgress: (at) => progress.show(name, at),
      });
      progress.clear();
      if (end !== 'taken-over') await client.call('PUT', '/_sandbox/clock', modeOf(before));
      const verdict = await client.call<Verdict>('GET', '/_sandbox/verdict');
      const cutShort = SHORT[end];
      print(flags.json, { ...verdict, ...(cutShort !== null && { cut_short: cutShort }) }, [
        `${name}: ${verdictSummary(verdict)}${cutShort === null ? '' : `; ${cutShort}`}`,
        ...verdictLines(verdict, mayColour(process.stdout), client.url),
      ]);
      if (relay.exitCode !== null) throw new QuietExit(relay.exitCode);
      if (!verdict.passed || cutShort !== null) throw new QuietExit(1);
    } finally {
      progress.clear();
      relay.release();
    }
  });
}

/** The reason why the run did not reach its end. */
const SHORT: Readonly<Record<FlowEnd, string | null>> = {
  ended: null,
  aborted: 'interrupted; this is the verdict so far',
  'taken-over': 'another client moved the clock; this is the verdict so far',
};

function modeOf({ mode, scale }: Clock): object {
  return mode === 'scaled' ? { mode, scale } : { mode };
}
