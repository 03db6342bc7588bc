/** The `docker` command, as whoever builds the image has it. */
import { execFile } from 'node:child_process';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** @param timeoutMs machine milliseconds after which the command counts as failed */
export function docker(args: readonly string[], timeoutMs = 60_000): Promise<Ran> {
  const settings = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 } as const;
  return new Promise((done) => {
    execFile('docker', [...args], settings, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 127;
      done({ code, stdout, stderr: stderr === '' && error !== null ? error.message : stderr });
    });
  });
}

/** The same, for what must succeed: its output, trimmed. @throws Error with what it said */
export async function must(args: readonly string[], timeoutMs?: number): Promise<string> {
  const { code, stdout, stderr } = await docker(args, timeoutMs);
  if (code !== 0)
    throw new Error(`docker ${args.join(' ')} ended with ${code}: ${(stderr + stdout).trim().slice(-800)}`);
  return stdout.trim();
}

/** Why there is no engine to build with, or null when one answers. */
export async function whyNoEngine(): Promise<string | null> {
  const { code, stdout, stderr } = await docker(['info', '--format', '{{.ServerVersion}}'], 20_000);
  // An old client says 0 although no server answered; then it names no version.
  return code === 0 && stdout.trim() !== '' ? null : (stderr.trim().split('\n')[0] ?? 'docker info says nothing');
}
