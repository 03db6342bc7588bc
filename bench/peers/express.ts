import { serverFile } from './installed.js';
import { someMessageId, type Peer } from './peer.js';

/** What all ratios refer to. */
export const express: Peer = {
  name: 'express',
  title: 'Express, echo',
  package: 'express',
  leavesOut: 'everything but routes: it parses JSON and sends it back. No key, no validation, no store',
  launch: ({ node, port }) => ({ file: node, args: [serverFile('express.mjs'), `${port}`] }),
  readyPath: `/v1/messages/${someMessageId}`,
};
