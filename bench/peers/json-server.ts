import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFile } from './installed.js';
import type { Peer } from './peer.js';

export const jsonServer: Peer = {
  name: 'json-server',
  title: 'json-server',
  package: 'json-server',
  leavesOut:
    'key and validation: it stores what it is sent, and writes its whole file again after each request, so that it slows down as it fills. No events, no journal',
  launch: async ({ node, port, dir }) => {
    await writeFile(join(dir, 'db.json'), '{"messages":[]}');
    await writeFile(join(dir, 'routes.json'), '{"/v1/*":"/$1"}');
    return {
      file: node,
      args: [
        packageFile('json-server', 'lib/cli/bin.js'),
        ...['--port', `${port}`, '--host', '127.0.0.1', '--quiet', '--routes', join(dir, 'routes.json')],
        join(dir, 'db.json'),
      ],
    };
  },
  readyPath: '/messages',
};
