import { serverFile } from './installed.js';
import { someMessageId, type Peer } from './peer.js';

export const nodeHttp: Peer = {
  name: 'node-http',
  title: 'node:http, echo',
  leavesOut: 'everything: it parses JSON and sends it back. No key, no validation, no routes, no store',
  launch: ({ node, port }) => ({ file: node, args: [serverFile('node-http.mjs'), `${port}`] }),
  readyPath: `/v1/messages/${someMessageId}`,
};
