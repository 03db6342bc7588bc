import { Command } from 'commander';

export const PROGRAM = 'messaging-sandbox';

/** A commander command that throws instead of ending the process, so that one place decides about exit codes. */
export function newCommand(name: string, description: string): Command {
  return new Command(name === '' ? PROGRAM : `${PROGRAM} ${name}`)
    .description(description)
    .exitOverride()
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ helpWidth: 110 });
}
