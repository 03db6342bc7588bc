import { serverFile } from './installed.js';
import { someMessageId, type Peer } from './peer.js';

export const fastify: Peer = {
  name: 'fastify',
  title: 'Fastify with schemas',
  package: 'fastify',
  leavesOut:
    'all but the schemas: it judges the body by the schema of our document, writes the answer by another, and makes a fresh id. No key, no accounts, rules, store, events, journal',
  launch: ({ node, port, document }) => ({ file: node, args: [serverFile('fastify.mjs'), `${port}`, document] }),
  readyPath: `/v1/messages/${someMessageId}`,
};
