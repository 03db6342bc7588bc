import { serverFile } from './installed.js';
import { someMessageId, type Peer } from './peer.js';

export const expressValidated: Peer = {
  name: 'express-validated',
  title: 'Express with express-openapi-validator',
  package: 'express-openapi-validator',
  leavesOut:
    'all but the document: it judges header, request and answer by it, and answers a fresh id. No accounts, rules, store, events, journal',
  launch: ({ node, port, document }) => ({
    file: node,
    args: [serverFile('express-validated.mjs'), `${port}`, document],
  }),
  readyPath: `/v1/messages/${someMessageId}`,
};
