/** What all commands share: how one is made, and how it writes its output. */
import { Command } from 'commander';
import { printable } from '../domain/text.js';

/** Returns a commander command that throws instead of ending the process, so that exit codes are set in one place. */
export function newCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .exitOverride()
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ helpWidth: 110, showGlobalOptions: true });
}

/** The output of a command on stdout: lines for people, or the response itself for a script. */
export function print(asJson: boolean | undefined, answer: unknown, lines: readonly string[]): void {
  const text = asJson === true ? JSON.stringify(answer, null, 2) : lines.join('\n');
  process.stdout.write(`${printable(text)}\n`);
}

/**
 * Resolves with the first signal that asks the process to end; a second one ends it immediately. Called before the
 * work begins, so that no signal is lost.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
}

export function mayColour(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  return stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
