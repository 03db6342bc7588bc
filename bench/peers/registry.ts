import { express } from './express.js';
import { expressValidated } from './express-validated.js';
import { fastify } from './fastify.js';
import { jsonServer } from './json-server.js';
import { mockoon } from './mockoon.js';
import { nodeHttp } from './node-http.js';
import { ours, oursOnDisk } from './ours.js';
import type { Peer } from './peer.js';
import { prism } from './prism.js';
import { wiremock, wiremockJudging } from './wiremock.js';

/** In the order of the tables. */
export const peers: readonly Peer[] = [
  ours,
  oursOnDisk,
  express,
  nodeHttp,
  fastify,
  expressValidated,
  wiremock,
  wiremockJudging,
  prism,
  mockoon,
  jsonServer,
];

/** What one would like to see here too, and why it is not. */
export const notHad: readonly { readonly name: string; readonly why: string }[] = [
  {
    name: "ericvera's WhatsApp emulator",
    why: 'its packages (`@whatsapp-cloudapi/emulator`, `@whatsapp-cloudapi/cli`) were not in the npm registry when this was written',
  },
  {
    name: "vercel-labs' emulate",
    why: "its Twilio service (`@emulators/twilio`) was not in the npm registry when this was written, and npm's `emulate` is another project",
  },
];
