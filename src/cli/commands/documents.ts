import type { Command } from 'commander';
import { stringify } from 'yaml';
import { defaultDialect } from '../../dialect/index.js';
import { documentsOf } from '../../documents.js';
import { scenarioJsonSchema } from '../../language/scenario.js';

/** A running sandbox serves its own document. */
export function openapi(command: Command): void {
  command.action(() => {
    const { api } = documentsOf(defaultDialect);
    process.stdout.write(stringify(api, { lineWidth: 120, aliasDuplicateObjects: false }));
  });
}

export function schema(command: Command): void {
  command
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
