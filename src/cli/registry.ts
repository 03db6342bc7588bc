import type { Command } from 'commander';

/** One command: a file that is loaded only when it is called for, and its line in the help. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly define: () => Command }>;
}

/** Every command but `readyz`, which is answered before any of this is loaded. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'start',
    summary: 'start the sandbox; what happens without a command',
    load: () => import('./commands/start.js'),
  },
  {
    name: 'clock',
    summary: "read an account's clock, and move it",
    load: () => import('./commands/clock.js'),
  },
  {
    name: 'inbound',
    summary: 'write to the account as a customer',
    load: () => import('./commands/inbound.js'),
  },
  {
    name: 'trigger',
    summary: 'fire a signed event at the registered endpoints',
    load: () => import('./commands/trigger.js'),
  },
  {
    name: 'reset',
    summary: 'empty the account',
    load: () => import('./commands/reset.js'),
  },
  {
    name: 'openapi',
    summary: 'print the OpenAPI document of the emulated service',
    load: () => import('./commands/openapi.js'),
  },
];
