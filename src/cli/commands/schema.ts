import type { Command } from 'commander';
import { scenarioJsonSchema } from '../../scenario/language/scenario.js';
import { newCommand } from '../new-command.js';

/** `schema`: prints the JSON Schema of scenario files for editors. Needs no running sandbox. */
export function define(): Command {
  return newCommand('schema', 'Print the JSON Schema (draft-07) of scenario files. Needs no running sandbox.')
    .addHelpText(
      'after',
      '\nSave it next to your scenarios, and refer to it in the first line of each:' +
        '\n  messaging-sandbox schema > scenarios/scenario.schema.json' +
        '\n  # yaml-language-server: $schema=./scenario.schema.json',
    )
    .action(() => {
      process.stdout.write(`${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`);
    });
}
