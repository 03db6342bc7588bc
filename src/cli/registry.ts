import type { Command } from 'commander';

/** One command: its file, which is loaded only when needed, and its line in the help. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Whether `-- CMD…` may follow. It is the user's command, and its flags are not ours. */
  readonly runsCommand?: true;
  readonly load: () => Promise<{ readonly define: (userCommand: readonly string[]) => Command }>;
}

/** All commands except `readyz`, which runs before this file is loaded. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'start',
    summary: 'start the sandbox (the default command)',
    load: () => import('./commands/start.js'),
  },
  {
    name: 'exec',
    summary: 'run a command with a sandbox, and report on it',
    runsCommand: true,
    load: () => import('./commands/exec.js'),
  },
  {
    name: 'scenario',
    summary: 'check, list, activate and play scenario files',
    runsCommand: true,
    load: () => import('./commands/scenario.js'),
  },
  {
    name: 'listen',
    summary: 'forward deliveries to a server on this machine',
    load: () => import('./commands/listen.js'),
  },
  {
    name: 'clock',
    summary: "show an account's clock, and move it",
    load: () => import('./commands/clock.js'),
  },
  {
    name: 'inbound',
    summary: 'write to the account as a customer',
    load: () => import('./commands/inbound.js'),
  },
  {
    name: 'trigger',
    summary: 'send a signed event to the registered endpoints',
    load: () => import('./commands/trigger.js'),
  },
  {
    name: 'coverage',
    summary: 'report which operations, errors and states a run exercised',
    load: () => import('./commands/coverage.js'),
  },
  {
    name: 'verdict',
    summary: 'print whether the application did what the scenario expects',
    load: () => import('./commands/verdict.js'),
  },
  {
    name: 'certify',
    summary: 'send every webhook fault to your own receiver, and score its responses',
    load: () => import('./commands/certify.js'),
  },
  {
    name: 'explore',
    summary: 'try every failure, and report the smallest that breaks your application',
    runsCommand: true,
    load: () => import('./commands/explore.js'),
  },
  {
    name: 'reset',
    summary: 'empty the account',
    load: () => import('./commands/reset.js'),
  },
  {
    name: 'record',
    summary: 'write the history of the account as a scenario, a test or an archive',
    load: () => import('./commands/record.js'),
  },
  {
    name: 'fork',
    summary: 'copy the current state of the account to another key',
    load: () => import('./commands/fork.js'),
  },
  {
    name: 'mcp',
    summary: 'serve the Model Context Protocol on stdin and stdout, for agents',
    load: () => import('./commands/mcp.js'),
  },
  {
    name: 'openapi',
    summary: 'print the OpenAPI document of the emulated service',
    load: () => import('./commands/openapi.js'),
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of scenario files',
    load: () => import('./commands/schema.js'),
  },
];
