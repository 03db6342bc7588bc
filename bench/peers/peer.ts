import type { Command } from '../support/process.js';

/** What a peer needs to know to start. */
export interface Place {
  /** The node that runs it. */
  readonly node: string;
  readonly port: number;
  /** Path of the OpenAPI document as JSON; the same for all. */
  readonly document: string;
  /** An empty folder of its own, removed afterwards. */
  readonly dir: string;
}

/** A server that is measured beside ours. One file each, a line in `registry.ts`. */
export interface Peer {
  /** For the command line and the results. */
  readonly name: string;
  /** For tables. */
  readonly title: string;
  /** What of ours it does not do for a request, as the page says it. */
  readonly leavesOut: string;
  /** The npm package whose version is told, when it has one. */
  readonly package?: string;
  readonly launch: (place: Place) => Promise<Command> | Command;
  /** It is ready with its first 2xx to a GET of this path. */
  readonly readyPath: string;
  /** What has to be there before the load: for ours, an approved template. */
  readonly prepare?: (url: string) => Promise<void>;
  /** Returns when it has done what it still had to do for earlier requests. */
  readonly settle?: (url: string) => Promise<void>;
  /** Why it cannot run on this machine; null when it can. */
  readonly missing?: () => string | null;
}

/** A message that a peer without memory is asked for. */
export const someMessageId = '0b54b6ff-9d7d-4ba1-8a5f-6d2f3c7e1a90';
