import { Command } from 'commander';

export const PROGRAM = 'messaging-sandbox';

/** Returns a commander command that throws instead of ending the process, so that exit codes are set in one place. */
export function newCommand(name: string, description: string): Command {
  return new Command(name === '' ? PROGRAM : `${PROGRAM} ${name}`)
    .description(description)
    .exitOverride()
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ helpWidth: 110 });
}
