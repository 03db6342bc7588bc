/** What all commands share: how one and its options are made, and how it writes its output. */
import { Command, Option } from 'commander';
import { invalidValue, ValueError } from '../config/values.js';
import { printable } from '../domain/text.js';
import { UsageError } from './failure.js';

/** Returns a commander command that throws instead of ending the process, so that exit codes are set in one place. */
export function newCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .exitOverride()
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ helpWidth: 110, showGlobalOptions: true });
}

/** An option whose value is read, and rejected, as those of the settings are. */
export function valueOption(flags: string, about: string, read: (text: string) => unknown): Option {
  const option = new Option(flags, about);
  return option.argParser(checked(option.long ?? flags, read));
}

/** @param name name of the flag or the argument. @throws UsageError if the value cannot be read */
export function checked<Value>(name: string, read: (text: string) => Value): (text: string) => Value {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      throw new UsageError(invalidValue(name, error), { cause: error });
    }
  };
}

/** Collects the values of an option that may be given several times. */
export const repeatable = (text: string, before: readonly string[]): readonly string[] => [...before, text];

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
