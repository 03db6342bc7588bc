/** What all commands share: how one is made, and how it writes its output. */
import { Command } from 'commander';
import { printable } from '../domain/printable.js';

const PROGRAM = 'messaging-sandbox';

/** Returns a commander command that throws instead of ending the process, so that exit codes are set in one place. */
export function newCommand(name: string, description: string): Command {
  return new Command(name === '' ? PROGRAM : `${PROGRAM} ${name}`)
    .description(description)
    .exitOverride()
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ helpWidth: 110 });
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
  const signals = ['SIGTERM', 'SIGINT'] as const;
  return new Promise((resolve) => {
    const stop = (received: NodeJS.Signals): void => {
      for (const signal of signals) process.off(signal, stop);
      resolve(received);
    };
    for (const signal of signals) process.on(signal, stop);
  });
}

export function mayColour(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  const refused = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  return stream.isTTY === true && !refused && env['TERM'] !== 'dumb';
}
