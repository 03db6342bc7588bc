import type { Command } from 'commander';
import { resolveConfig, unknownVariables, urlOf, type Config } from '../../config/index.js';
import { isoTime } from '../../domain/instant.js';
import type { Sandbox } from '../../sandbox.js';
import { version } from '../../version.js';
import { stopSignal } from '../command.js';
import { mayColour } from '../../log.js';
import { receiverWords } from '../receiver-words.js';
import { closeSandbox, openLog, openSandbox } from '../../beside/open-sandbox.js';
import { startFlags, withStartFlags } from '../sandbox-flags.js';
import { warningLines } from '../named.js';
import { knownScenarios } from '../../beside/scenario-file.js';

export function start(command: Command): void {
  withStartFlags(command).action(() => serve(resolveConfig({ flags: startFlags(command), env: process.env })));
}

async function serve(config: Config): Promise<void> {
  const stop = stopSignal();
  const log = openLog(config);
  for (const warning of unknownVariables(process.env)) log.warn(warning);

  const sandbox = await openSandbox(config, log);
  const { scenarios } = config;
  if (scenarios.length > 0) {
    const lines = warningLines(await knownScenarios(), scenarios);
    if (lines.length > 0) log.warn(lines.join('\n').trimEnd());
  }
  const receiver = await receiverWords(process.env);
  process.stdout.write(banner(config, sandbox, mayColour(process.stdout), receiver));

  log.info('stopping', { signal: await stop });
  await closeSandbox(sandbox, log);
  // Sockets of clients that never hang up would keep the process alive after everything is closed and flushed.
  process.exit(0);
}

function banner(config: Config, { url, port }: Sandbox, colour: boolean, receiver: readonly [string, string]): string {
  const bold = (text: string): string => (colour ? `\u001b[1m${text}\u001b[0m` : text);
  const dim = (text: string): string => (colour ? `\u001b[2m${text}\u001b[0m` : text);
  const seed: [string, string, string][] =
    config.randomSeed === 1
      ? []
      : [['Seed', String(config.randomSeed), 'the same seed, key and calls give the same ids']];
  const rows: [string, string, string][] = [
    ['API', `${url}/v1`, ''],
    ['API key', ...keyWords(config)],
    ['Web UI', `${url}/_sandbox/ui`, ''],
    ['Control', `${url}/_sandbox/`, `described at ${url}/_sandbox/openapi.json`],
    ['Data', config.dataDir ?? 'in memory', config.dataDir === null ? '--data DIR keeps it' : `fsync ${config.fsync}`],
    ['Clock', clockWords(config), ''],
    ...seed,
    ['Receiver', ...receiver],
  ];
  const lines = rows.map(
    ([name, value, note]) => `  ${name.padEnd(9)} ${value}${note === '' ? '' : dim(`  (${note})`)}`,
  );
  const ready = `messaging-sandbox listening on ${urlOf(config, port, config.host)}. Ready.`;
  return `${bold(`messaging-sandbox ${version}`)}\n\n${lines.join('\n')}\n\n${ready}\n`;
}

function keyWords({ apiKeys }: Config): [string, string] {
  if (apiKeys === null) return ['test_default', 'any other key works too: each has an isolated account'];
  return [`one of the ${apiKeys.length} given`, 'every other key is rejected'];
}

function clockWords({ clock }: Config): string {
  if (clock.mode === 'scaled') return `x${clock.scale}`;
  return clock.startMs === null ? clock.mode : `${clock.mode} at ${isoTime(clock.startMs)}`;
}
