/** Peers at work: each started in a folder of its own, all stopped together. */
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../support/options.js';
import { serverNode } from '../support/node.js';
import { freePort, startServer, type Server } from '../support/process.js';
import { writeDocument } from './document.js';
import { ensurePeers, installedVersion } from './installed.js';
import type { Peer } from './peer.js';
import { notHad, peers } from './registry.js';

export interface Left {
  readonly name: string;
  readonly why: string;
}

/**
 * Those that are asked for and can run here, and those that are not there, with the reason. Installs what is missing.
 * @throws UsageError for a name that no peer has
 */
export function choosePeers(only: readonly string[] | null): { chosen: Peer[]; left: Left[] } {
  const unknown = only?.filter((name) => !peers.some((peer) => peer.name === name)) ?? [];
  if (unknown.length > 0) {
    throw new UsageError(
      `No peer is named ${unknown.join(', ')}; there are ${peers.map(({ name }) => name).join(', ')}.`,
    );
  }
  const wanted = peers.filter(({ name }) => only === null || only.includes(name));
  if (wanted.some((peer) => peer.package !== undefined || peer.name === 'node-http')) ensurePeers();
  const left = wanted.flatMap(({ title, missing }) => {
    const why = missing?.() ?? null;
    return why === null ? [] : [{ name: title, why }];
  });
  const chosen = wanted.filter(({ title }) => !left.some(({ name }) => name === title));
  return { chosen, left: [...left, ...notHad] };
}

/** The version of a peer's package; empty for what has none of its own. */
export function versionOfPeer(peer: Peer): string {
  return peer.package === undefined ? '' : (installedVersion(peer.package) ?? '');
}

export interface Stage {
  start(peer: Peer): Promise<Server>;
  /** Ends what is still running and removes every folder. */
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const root = await mkdtemp(join(tmpdir(), 'bench-peers-'));
  const document = await writeDocument(root);
  const running = new Set<Server>();
  const remove = (): void => rmSync(root, { recursive: true, force: true });
  process.once('exit', remove);
  let count = 0;
  return {
    async start(peer) {
      count += 1;
      const dir = join(root, `${peer.name}-${count}`);
      await mkdir(dir);
      const port = await freePort();
      const command = await peer.launch({ node: serverNode(), port, document, dir });
      const server = await startServer(command, port, peer.readyPath);
      running.add(server);
      return server;
    },
    async close() {
      await Promise.all([...running].map((server) => server.stop()));
      process.off('exit', remove);
      remove();
    },
  };
}
