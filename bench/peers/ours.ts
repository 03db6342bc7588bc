import { join } from 'node:path';
import { approveTemplate } from '../support/messages.js';
import { call } from '../support/load.js';
import { builtCli } from '../support/built.js';
import type { Peer } from './peer.js';

const flags = ['--log-level', 'error'];

/** The sandbox as it is built from `cli`, or from the sources as they are. */
export function sandboxOf(name: string, title: string, cli: () => Promise<string>, onDisk = false): Peer {
  return {
    name,
    title,
    leavesOut: 'nothing',
    launch: async ({ node, port, dir }) => {
      const data = onDisk ? ['--data', join(dir, 'data')] : [];
      return { file: node, args: [await cli(), 'start', '--port', `${port}`, ...flags, ...data] };
    },
    readyPath: '/readyz',
    prepare: approveTemplate,
    settle: (url) => call(`${url}/_sandbox/idle?timeout=60s`, 'POST'),
  };
}

export const ours = sandboxOf('ours', '**messaging-sandbox**', builtCli);
export const oursOnDisk = sandboxOf('ours-data', '**messaging-sandbox**, `--data`', builtCli, true);
