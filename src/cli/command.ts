import { Option, type Command } from 'commander';
import { readValue } from '../config/values.js';
import { printable } from '../domain/text.js';

/** Makes a command throw instead of ending the process, so that exit codes are set in one place. */
export function prepared(command: Command): Command {
  return (
    command
      .exitOverride()
      // `usageError` words the errors of commander as all others are.
      .configureOutput({ outputError: () => undefined })
      .helpOption('-h, --help', 'show this help')
      .configureHelp({ helpWidth: 110, showGlobalOptions: true })
  );
}

/** The value is read, and rejected, as the values of settings are. */
export function valueOption(flags: string, about: string, read: (text: string) => unknown): Option {
  const option = new Option(flags, about);
  return option.argParser((text) => readValue(option.long ?? flags, () => read(text)));
}

export function listOption(flags: string, about: string, standard: string): Option {
  const add = (text: string, before: readonly string[]) => [...before, text];
  return new Option(flags, about).argParser(add).default([], standard);
}

export function shellWords(words: readonly string[]): string {
  const quoted = (word: string) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
  return words.map(quoted).join(' ');
}

/** Lines for people, or the response itself for a script. */
export function print(asJson: boolean | undefined, answer: unknown, lines: readonly string[]): void {
  const text = asJson === true ? JSON.stringify(answer, null, 2) : lines.join('\n');
  process.stdout.write(`${printable(text)}\n`);
}

/** A second signal ends the process immediately. Called before the work begins, so that no signal is lost. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
}
