/** How Node makes the requests of the server, where that depends on its version. */
import type { ServerOptions } from 'node:http';
import { asksForWebSocket, WebSocketOnlyRequest } from './upgrades.js';

/** The first version that asks which requests leave HTTP. */
const firstAskingMajor = 24;

export function serverOptions(nodeVersion = process.versions.node): ServerOptions {
  // Node answers a request without Host by a 400 without a body; the guard says what is missing.
  const common = { requireHostHeader: false };
  if (Number.parseInt(nodeVersion, 10) >= firstAskingMajor) {
    return { ...common, shouldUpgradeCallback: asksForWebSocket } as ServerOptions;
  }
  return { ...common, IncomingMessage: WebSocketOnlyRequest };
}
