/**
 * Rounds of load, `kill -9` at a seeded moment, restart and checks, all on one data directory: each round starts with
 * the data of the previous one.
 */
import { startServer, type Server } from '../../bench/server.js';
import { openConnection } from '../../src/client/connection.js';
import { createStream, below } from '../../src/random/ids.js';
import { machineTime } from '../../src/time/system-clock.js';
import { judgeEvents, judgeRetries, judgeStored } from './judge.js';
import { loadUntilGone, prepare, type Ledger } from './load.js';
import { freePort, startReceiver } from '../support/receivers.js';

export interface CrashOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly fsync: 'always' | 'interval';
  /** Arguments of Node that run the command line. */
  readonly main: readonly string[];
  /** An empty directory. */
  readonly dir: string;
  /** Called after each round. */
  readonly say: (line: string) => void;
}

export interface CrashReport {
  /** The findings of all rounds. */
  readonly findings: readonly string[];
  readonly messages: number;
  readonly attempts: number;
}

/** Starts the sandbox to be killed. */
async function startVictim({ dir, fsync, main }: CrashOptions): Promise<Server> {
  const port = await freePort();
  const flags = ['--port', `${port}`, '--clock', 'frozen', '--log-level', 'warn', '--data', dir, '--fsync', fsync];
  const command = { file: process.execPath, args: [...main, 'start', ...flags] };
  return startServer(command, port, '/readyz');
}

/** The one account under test. */
const accountAt = (url: string) => openConnection({ url, key: 'crash-test', controlToken: null });

/** Number of responses before the kill: from one to the maximum. */
const mostAnswers = 100;
/** The first attempts of a delivery to `/flaky` are rejected, so that there are always pending retries. */
const refusals = 2;

export async function crash(options: CrashOptions): Promise<CrashReport> {
  const { rounds, seed, say } = options;
  const moments = createStream(seed, 'crash', 'moment', {});
  const load = createStream(seed, 'crash', 'load', {});
  const ledger: Ledger = { messages: new Set(), codes: new Set(), clock: '' };
  const findings: string[] = [];
  const application = await startReceiver((response, { path, headers }) => {
    response.statusCode = path === '/flaky' && Number(headers['x-service-attempt']) <= refusals ? 503 : 200;
    response.end();
  });
  let victim = await startVictim(options);
  try {
    const secrets = await prepare(accountAt(victim.url), application.url);
    for (let round = 1; round <= rounds; round += 1) {
      const running = victim;
      const after = 1 + below(moments, mostAnswers);
      const pauseMs = below(moments, 8);
      let answers = 0;
      let killing: Promise<unknown> = Promise.resolve();
      await loadUntilGone(accountAt(running.url), load, ledger, () => {
        answers += 1;
        if (answers !== after) return;
        killing = new Promise<void>((resolve) => machineTime.setTimer(pauseMs, resolve)).then(() =>
          running.stop('SIGKILL'),
        );
      });
      await killing;
      victim = await startVictim(options);
      const account = accountAt(victim.url);
      const found = [
        ...(await judgeStored(account, ledger)),
        ...(await judgeRetries(account, application.received)),
        ...(await judgeEvents(account, application.received, secrets)),
      ];
      for (const finding of found) {
        findings.push(`round ${round}: ${finding}`);
        say(`  ${finding}`);
      }
      say(
        `round ${round}: killed after ${answers} answers; ${ledger.messages.size} messages and ` +
          `${application.received.length} attempts so far; ${found.length === 0 ? 'all there' : `${found.length} findings`}`,
      );
    }
    const code = await victim.stop();
    if (code !== 0) throw new Error(`the sandbox stopped with ${String(code)}`);
    return { findings, messages: ledger.messages.size, attempts: application.received.length };
  } finally {
    await victim.stop('SIGKILL');
    await application.close();
  }
}
