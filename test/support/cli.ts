import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { inject } from 'vitest';
import { closing } from './closing.js';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A sandbox started like a user's: a process that has printed "Ready". */
export interface CliServer {
  readonly url: string;
  readonly pid: number;
  /** The output on stdout up to and including the ready line. */
  readonly banner: string;
  /** Sends the signal (default SIGTERM) and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<CliResult>;
}

export type Variables = Readonly<Record<string, string>>;

/** Runs the built command line to its end. */
export function runCli(args: readonly string[], env: Variables = {}): Promise<CliResult> {
  return ended(spawnCli(args, env));
}

/** Runs a command until it says something on stderr, does something then, and interrupts it. */
export async function interruptCli(
  args: readonly string[],
  said: RegExp,
  meanwhile: (match: RegExpExecArray) => Promise<void>,
): Promise<CliResult> {
  const child = spawnCli(args, {});
  const end = ended(child);
  let stderr = '';
  const match = await new Promise<RegExpExecArray | null>((resolve) => {
    child.stderr.on('data', (chunk: string) => {
      stderr += chunk;
      const found = said.exec(stderr);
      if (found) resolve(found);
    });
    void end.then(() => resolve(null));
  });
  if (match) await meanwhile(match);
  child.kill('SIGINT');
  return end;
}

/**
 * Starts the built server, on a free port by default.
 * @throws with its output if it ends before it is ready
 */
export async function startCli(args: readonly string[] = [], env: Variables = {}): Promise<CliServer> {
  const named = args.includes('--port') || args.includes('-p') || 'SANDBOX_PORT' in env || 'PORT' in env;
  const child = spawnCli(named ? args : [...args, '--port', '0'], env);
  const end = ended(child);
  const banner = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: string) => {
      text += chunk;
      if (text.endsWith('Ready.\n')) resolve(text);
    });
    void end.then(({ code, stderr }) => reject(new Error(`the server ended with ${code}: ${stderr}`)));
  });
  const url = /listening on (http:\S+)\. Ready\.\n$/.exec(banner)?.[1];
  if (url === undefined) throw new Error(`the last line names no URL: ${banner}`);
  return {
    url,
    banner,
    pid: child.pid ?? 0,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return end;
    },
  };
}

/** The same, stopped when the test has finished. */
export async function runningCli(...how: Parameters<typeof startCli>): Promise<CliServer> {
  const server = await startCli(...how);
  closing({ close: () => server.stop() });
  return server;
}

function spawnCli(args: readonly string[], env: Variables): ChildProcessWithoutNullStreams {
  const { main, failure } = inject('cli');
  if (failure !== null) throw new Error(`There is no CLI to test, because the build failed: ${failure}`);
  const child = spawn(process.execPath, [main, ...args], { env: { ...cleanVariables(), ...env } });
  child.stdout.setEncoding('utf8');
  child.stderr.setEncoding('utf8');
  child.stdin.end();
  return child;
}

/** The variables of this process without settings, so that those of the developer do not affect the command. */
export function cleanVariables(): NodeJS.ProcessEnv {
  const own = /^(?:SANDBOX_|MESSAGING_|PORT$|NO_COLOR$|FORCE_COLOR$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

function ended(child: ChildProcessWithoutNullStreams): Promise<CliResult> {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: string) => (stdout += chunk));
  child.stderr.on('data', (chunk: string) => (stderr += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
