/**
 * Express gives every request and response its own prototypes as they come in, which makes V8 forget what it had learnt
 * about them. On Node before 24 creating them with those prototypes from the start nearly doubles what the server does per
 * second; on later versions the change costs more than it brings. Measured by `bench/`; see docs/decisions.
 */
import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import type { Express } from 'express';
import { asksForWebSocket, upgradeToWebSocketOnly } from './upgrades.js';

const firstFastMajor = 24;

export function serverOptions(app: Express, nodeVersion = process.versions.node): ServerOptions {
  if (Number.parseInt(nodeVersion, 10) >= firstFastMajor) {
    return { shouldUpgradeCallback: asksForWebSocket } as ServerOptions;
  }
  upgradeToWebSocketOnly(app.request);
  return {
    IncomingMessage: withPrototype(IncomingMessage, app.request),
    ServerResponse: withPrototype(ServerResponse, app.response),
  } as ServerOptions;
}

/** A constructor that makes what `base` makes, with another prototype. */
function withPrototype(base: typeof IncomingMessage | typeof ServerResponse, prototype: object): unknown {
  const call = base as unknown as (this: object, ...args: unknown[]) => void;
  function Made(this: object, ...args: unknown[]): void {
    call.apply(this, args);
  }
  Made.prototype = prototype;
  return Made;
}
