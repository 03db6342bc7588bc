/** Environment, signals and exit code of a command. */
import type { Config } from '../config/index.js';
import type { Sandbox } from '../sandbox.js';
import { CliFailure } from '../failure.js';
import { exitCodeOfSignal, type Running, startProgram } from './spawn.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The key for the command: the first one that the sandbox accepts. */
export function keyFor({ apiKeys }: Pick<Config, 'apiKeys'>): string {
  return apiKeys?.[0] ?? 'test_default';
}

/**
 * Returns the variables by which an application and our own clients find the sandbox, with the secret of each endpoint
 * of the scenario under its alias. The base URL does not include `/v1`, because the paths of the interface document
 * start with it.
 */
export function environmentFor(
  sandbox: Sandbox,
  { controlToken }: Pick<Config, 'controlToken'>,
  key: string,
): Record<string, string> {
  const secrets = sandbox
    .stage(key)
    .secrets.map(({ alias, secret }) => [`MESSAGING_WEBHOOK_SECRET_${variableName(alias)}`, secret] as const);
  return {
    MESSAGING_BASE_URL: sandbox.url,
    MESSAGING_API_KEY: key,
    ...(controlToken !== null && { MESSAGING_CONTROL_TOKEN: controlToken }),
    ...Object.fromEntries(secrets),
  };
}

/** `order-events` becomes `ORDER_EVENTS`, which every shell accepts as the name of a variable. */
function variableName(alias: string): string {
  return alias.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

/** Passes the signals that this process receives on to the command, including those that arrive during the start. */
export class SignalRelay {
  #signal: NodeJS.Signals | null = null;
  #child: Running | null = null;
  readonly #stop = new AbortController();
  readonly #onSignal = (signal: NodeJS.Signals): void => {
    this.#signal ??= signal;
    this.#stop.abort();
    // Ctrl-C in a terminal reaches the whole process group; many tools stop without finishing after a second signal.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) this.#child?.signal(signal);
  };

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  /** Aborted by the first signal. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /** The code is the same as in shells; null without a signal. */
  get exitCode(): number | null {
    return this.#signal === null ? null : exitCodeOfSignal(this.#signal);
  }

  release(): void {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }

  /**
   * Runs the command to its end, with our stdin and stderr.
   * @param variables in addition to our own environment
   * @param stdout the stream for its output; `stderr` keeps our stdout free for a report
   * @param onOutput called with each chunk of its output, which is then no terminal for the command
   * @returns its own exit code, or 128 + n if signal n ended it, as in shells
   * @throws CliFailure if it cannot be run
   */
  async run(
    command: readonly string[],
    variables: Readonly<Record<string, string>>,
    stdout: 'stdout' | 'stderr',
    onOutput?: (text: string) => void,
  ): Promise<number> {
    if (this.exitCode !== null) return this.exitCode;
    const child = startProgram({ command, variables, foreground: stdout, onOutput });
    this.#child = child;
    const exitCode = await child.ended;
    this.#child = null;
    if (child.startError) throw notRunnable(command[0] ?? '', child.startError);
    return exitCode;
  }
}

function notRunnable(file: string, cause: NodeJS.ErrnoException): CliFailure {
  if (cause.code === 'ENOENT') {
    const message = `There is no command "${file}". It must be in PATH, or written as ./${file}.`;
    return new CliFailure(127, message, { cause });
  }
  if (cause.code !== 'EACCES') return new CliFailure(1, `"${file}" cannot be run: ${cause.message}`, { cause });
  const message = `"${file}" is not executable. Make it executable, or put its interpreter before it.`;
  return new CliFailure(126, message, { cause });
}
