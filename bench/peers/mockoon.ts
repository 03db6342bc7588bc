import { packageFile } from './installed.js';
import { someMessageId, type Peer } from './peer.js';

export const mockoon: Peer = {
  name: 'mockoon',
  title: 'Mockoon CLI',
  package: '@mockoon/cli',
  leavesOut:
    'key and validation: it reads the routes from our document and answers a template of the answer with empty texts, whatever it was sent. No store, events; it logs each call as a line, which has no switch',
  launch: ({ node, port, document }) => ({
    file: node,
    args: [
      packageFile('@mockoon/cli', 'bin/run.js'),
      ...['start', '--data', document, '--port', `${port}`, '--hostname', '127.0.0.1', '--disable-log-to-file'],
    ],
  }),
  readyPath: `/v1/messages/${someMessageId}`,
};
