/** Errors that commander found get the form of the errors of settings. */
import type { CommanderError } from 'commander';
import { configOptionList } from '../config/index.js';
import { UsageError } from '../failure.js';

const shapes: readonly (readonly [RegExp, string])[] = [
  [/^unknown (option|command) '(.+)'$/, 'Unknown $1 "$2".'],
  [/^missing required argument '(.+)'$/, 'Missing argument "$1".'],
  [/^option '(?:-\w, )?(--[\w-]+) [<[](.+?)[>\]]' argument missing$/, 'Missing value for $1. Expected $2.'],
  [/^required option '(?:-\w, )?(--[\w-]+)(?: .+)?' not specified$/, 'Missing option $1.'],
  [
    /^option '(?:-\w, )?(--[\w-]+)(?: .+?)?' (?:argument|value) '(.*)' (?:from env .+ )?is invalid\. Allowed choices are (.+)\.$/s,
    'Invalid value "$2" for $1. Expected one of $3.',
  ],
  [
    /^command-argument value '(.*)' is invalid for argument '(.+)'\. Allowed choices are (.+)\.$/s,
    'Invalid value "$1" for $2. Expected one of $3.',
  ],
  [
    /^too many arguments(?: for '.+')?\. Expected (\d+) arguments? but got (\d+)\.$/,
    'Too many arguments: $2. Expected $1.',
  ],
];

/** @param names of the command and its subcommand */
export function usageError({ message }: CommanderError, names: readonly string[]): UsageError {
  const [, found = '', near] = /^(?:error: )?(.+?)(?:\n\(Did you mean (?:one of )?(.+)\?\))?$/s.exec(message) ?? [];
  const [shape, words] = shapes.find(([each]) => each.test(found)) ?? [/^/, ''];
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  const ofSandbox = configOptionList.find(({ flag }) => found === `unknown option '${flag}'`);
  const variable = ofSandbox ? ` It is an option of the sandbox: set ${ofSandbox.env[0] ?? ''}.` : '';
  const help = ['messaging-sandbox', ...names, '--help'].join(' ');
  return new UsageError(`${found.replace(shape, words)}${variable}${meant} See "${help}".`);
}
