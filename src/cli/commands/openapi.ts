import { Option } from 'commander';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import { documents } from '../../documents.js';
import { newCommand } from '../new-command.js';

/** `openapi`: prints the document that the server itself validates by; needs no running server. */
export function define(): Command {
  return newCommand('openapi', 'Print the OpenAPI document of the emulated service. Needs no running sandbox.')
    .option('--control', "the sandbox's own control plane instead")
    .addOption(new Option('--format <FORMAT>', 'how it is written').choices(['yaml', 'json']).default('yaml'))
    .option('--json', 'short for --format json')
    .action((flags: { readonly control?: boolean; readonly format: string; readonly json?: boolean }) => {
      const document = flags.control === true ? documents.control : documents.api;
      const asJson = flags.json === true || flags.format === 'json';
      const text = asJson
        ? `${JSON.stringify(document, null, 2)}\n`
        : stringify(document, { lineWidth: 120, aliasDuplicateObjects: false });
      process.stdout.write(text);
    });
}
