import { schemeOf, type Config } from '../config/index.js';
import { isoTime } from '../domain/instant.js';
import { addressOf, reachableHost } from './server-url.js';

export interface BannerFacts {
  readonly version: string;
  readonly config: Config;
  /** The port that the server actually listens on. */
  readonly port: number;
  /** Whether 127.0.0.1 is a container here, and not the developer's machine. */
  readonly inContainer: boolean;
  readonly colour: boolean;
}

/**
 * Returns the output of a start: the addresses, how to send the first call, and the ready line with the configured
 * host.
 */
export function banner(facts: BannerFacts): string {
  const { config, port, version, colour } = facts;
  // A client cannot call "every address", so the rows name one that it can call.
  const url = addressOf(schemeOf(config), reachableHost(config.host), port);
  const bold = (text: string): string => (colour ? `\u001b[1m${text}\u001b[0m` : text);
  const dim = (text: string): string => (colour ? `\u001b[2m${text}\u001b[0m` : text);
  const rows: [string, string, string][] = [
    ['API', `${url}/v1`, ''],
    ['API key', ...keyWords(config)],
    ['Page', `${url}/_sandbox/ui`, ''],
    ['Control', `${url}/_sandbox/`, `described at ${url}/_sandbox/openapi.json`],
    ['Data', config.dataDir ?? 'in memory', config.dataDir === null ? '--data DIR keeps it' : `fsync ${config.fsync}`],
    ['Clock', clockWords(config), ''],
    ['Receiver', `https://${receiverHost(facts)}:3000/hook`, 'an https URL reaches a local plain-HTTP server too'],
  ];
  const lines = rows.map(
    ([name, value, note]) => `  ${name.padEnd(9)} ${value}${note === '' ? '' : dim(`  (${note})`)}`,
  );
  const ready = `messaging-sandbox listening on ${addressOf(schemeOf(config), config.host, port)}. Ready.`;
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

function receiverHost({ inContainer }: BannerFacts): string {
  return inContainer ? 'host.docker.internal' : 'localhost';
}
