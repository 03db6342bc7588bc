import { packageFile } from './installed.js';
import { someMessageId, type Peer } from './peer.js';

export const prism: Peer = {
  name: 'prism',
  title: 'Prism, quiet',
  package: '@stoplight/prism-cli',
  leavesOut:
    'state: it judges key and request by the document and answers the example that stands there, the same id each time; to a batch it answers the example of a single send. No store, events, journal',
  launch: ({ node, port, document }) => ({
    file: node,
    args: [
      packageFile('@stoplight/prism-cli', 'dist/index.js'),
      ...['mock', '--port', `${port}`, '--host', '127.0.0.1', '--multiprocess', 'false', '--verboseLevel', 'silent'],
      document,
    ],
  }),
  readyPath: `/v1/messages/${someMessageId}`,
};
