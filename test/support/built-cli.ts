/** A process of the built command line, for tests and for the set-up of a run. */
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';

/** The built CLI that tests spawn: the path of its main file, or why there is none. */
export interface BuiltCli {
  readonly main: string;
  readonly failure: string | null;
}

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

/**
 * Starts the built server, on a free port by default.
 * @throws with its output if it ends before it is ready
 */
export async function startBuilt(cli: BuiltCli, args: readonly string[], env: Variables = {}): Promise<CliServer> {
  const named = args.includes('--port') || args.includes('-p') || 'SANDBOX_PORT' in env || 'PORT' in env;
  const child = spawnBuilt(cli, named ? args : [...args, '--port', '0'], env);
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

export function spawnBuilt(
  { main, failure }: BuiltCli,
  args: readonly string[],
  env: Variables,
): ChildProcessWithoutNullStreams {
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

export function ended(child: ChildProcessWithoutNullStreams): Promise<CliResult> {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: string) => (stdout += chunk));
  child.stderr.on('data', (chunk: string) => (stderr += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
