import type { Command } from 'commander';

/** All commands except `readyz`, which runs before this file is loaded, with their lines in the help. */
const summaries = {
  start: 'start the sandbox (the default command)',
  exec: 'run a command with a sandbox, and report on it',
  scenario: 'check, list, activate and play scenario files',
  listen: 'forward deliveries to a server on this machine',
  clock: "show an account's clock, and move it",
  inbound: 'write to the account as a customer',
  trigger: 'send a signed event to the registered endpoints',
  coverage: 'report which operations, errors and states a run exercised',
  verdict: 'print whether the application did what the scenario expects',
  certify: 'send every webhook fault to your own receiver, and score its responses',
  explore: 'try every failure, and report the smallest that breaks your application',
  reset: 'empty the account',
  record: 'write the history of the account as a scenario, a test or an archive',
  mcp: 'serve the Model Context Protocol on stdin and stdout, for agents',
  openapi: 'print the OpenAPI document of the emulated service',
  schema: 'print the JSON Schema of scenario files',
};

/** Makes a command. @param userCommand the arguments after `--`, for the commands of `runsCommand` */
type Define = (userCommand: readonly string[]) => Command;

/** The file of each, which is loaded only when needed. */
const definitions: Readonly<Record<keyof typeof summaries, () => Promise<Define>>> = {
  start: async () => (await import('./commands/start.js')).define,
  exec: async () => (await import('./commands/exec.js')).define,
  scenario: async () => (await import('./commands/scenario.js')).define,
  listen: async () => (await import('./commands/listen.js')).define,
  clock: async () => (await import('./commands/clock.js')).define,
  inbound: async () => (await import('./commands/account.js')).inbound,
  trigger: async () => (await import('./commands/account.js')).trigger,
  coverage: async () => (await import('./commands/reports.js')).coverage,
  verdict: async () => (await import('./commands/reports.js')).verdict,
  certify: async () => (await import('./commands/certify.js')).define,
  explore: async () => (await import('./commands/explore.js')).define,
  reset: async () => (await import('./commands/account.js')).reset,
  record: async () => (await import('./commands/record.js')).define,
  mcp: async () => (await import('./commands/mcp.js')).define,
  openapi: async () => (await import('./commands/documents.js')).openapi,
  schema: async () => (await import('./commands/documents.js')).schema,
};

export const commands = Object.entries(summaries).map(([name, summary]) => ({
  name,
  summary,
  load: definitions[name as keyof typeof summaries],
}));

/** The commands that `-- CMD…` may follow. It is the user's command, and its flags are not ours. */
export const runsCommand: ReadonlySet<string> = new Set(['exec', 'scenario', 'explore']);
