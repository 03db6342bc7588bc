/** How many connections the server holds at once (contract §9: limits on everything that grows). */
import type { Server } from 'node:http';

/**
 * Live sockets included. More than any test suite opens, fewer than a machine has file handles: one that ran out of those
 * could neither write its store nor reach a receiver.
 */
export const maxConnections = 5_000;

/**
 * Beyond the limit a connection is closed as it comes, for there is nobody yet to answer.
 * @param onRefused told of the first one, and of the first after there was room again
 */
export function limitConnections(server: Server, onRefused: (most: number) => void, most = maxConnections): void {
  let told = false;
  server.maxConnections = most;
  server.on('connection', () => (told = false));
  server.on('drop', () => {
    if (!told) onRefused(most);
    told = true;
  });
}
