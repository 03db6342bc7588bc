/**
 * The endpoint of a tunnel client: registered when the client connects, removed when it leaves. After a broken connection
 * the endpoint is kept for a while, so that the client can resume with the same URL and secret (docs/control-plane.md).
 */
import { transaction, type Account } from '../account/account.js';
import type { Accounts } from '../account/registry.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { EventType } from '../domain/words.js';
import type { Change } from '../store/table.js';
import type { Cancel, SystemClock } from '../time/system-clock.js';
import { removeEndpoint, resumeEndpoint } from '../webhooks/endpoints.js';
import { redeliver } from '../webhooks/redeliver.js';
import { isTunnelUrl, type Tunnels, tunnelUrl } from '../webhooks/tunnel.js';
import type { Tunnel } from './tunnel.js';

/** Real milliseconds for which the endpoint of a broken connection is kept. */
const graceMs = 60_000;

export interface TunnelOptions {
  readonly events: readonly EventType[];
  /** Null to generate a secret. */
  readonly secret: string | null;
  /** The endpoint of an earlier connection; if it no longer exists, a new one is registered. */
  readonly resume: string | null;
}

/** The tunnels of an account by their endpoints. */
interface Watched {
  readonly connected: Map<
    string,
    { readonly tunnel: Tunnel; readonly close: () => void; /** To be restored after a reset. */ endpoint: Endpoint }
  >;
  readonly orphans: Map<string, Cancel>;
}

export class TunnelEndpoints {
  readonly #watched = new Map<Account, Watched>();
  #closed = false;

  constructor(
    private readonly parts: { readonly accounts: Accounts; readonly tunnels: Tunnels; readonly host: SystemClock },
  ) {
    // Clients of the previous process may resume with endpoints of the data directory.
    parts.accounts.onOpen((account) => this.#adopt(account));
    parts.accounts.onDrop((account) => this.#forget(account));
  }

  /** Registers the client's endpoint, or returns the one it had before. */
  attach(account: Account, options: TunnelOptions, tunnel: Tunnel): Endpoint {
    const { connected, orphans } = this.#watch(account);
    const endpoint = transaction(account, () => register(account, options));
    const { id } = endpoint;
    connected.get(id)?.tunnel.onLost('taken');
    orphans.get(id)?.();
    orphans.delete(id);
    const close = this.parts.tunnels.open(account.key, id, tunnel.receive);
    connected.set(id, { tunnel, close, endpoint: { ...endpoint } });
    // Only now can the endpoint be reached.
    transaction(account, () => makeAgain(account, endpoint));
    return endpoint;
  }

  /** @param forGood whether the client disconnected intentionally; otherwise its endpoint is kept for a while */
  detach(account: Account, id: string, tunnel: Tunnel, forGood: boolean): void {
    const mine = this.#watched.get(account)?.connected;
    const attached = mine?.get(id);
    if (attached?.tunnel !== tunnel) return;
    attached.close();
    mine?.delete(id);
    if (this.#closed) return;
    if (forGood) remove(account, id);
    else this.#adopt(account);
  }

  /** The sandbox stops: endpoints stay unchanged. */
  close(): void {
    this.#closed = true;
    for (const account of [...this.#watched.keys()]) this.#forget(account);
  }

  #watch(account: Account): Watched {
    const known = this.#watched.get(account);
    if (known) return known;
    const watched: Watched = { connected: new Map(), orphans: new Map() };
    this.#watched.set(account, watched);
    account.store.onCommit((changes) => {
      const gone = changes.filter(({ op, table }) => table === 'endpoints' && (op === 'clear' || op === 'delete'));
      // Runs after the whole call: after a reset, the call also creates the records of the scenario.
      if (gone.length > 0) queueMicrotask(() => this.#afterRemoval(account, gone));
    });
    return watched;
  }

  /** Endpoints were removed: by a reset or restore, which a connected client survives, or one by one through the API. */
  #afterRemoval(account: Account, gone: readonly Change[]): void {
    if (this.#closed || !this.#watched.has(account)) return;
    const all = gone.some(({ op }) => op === 'clear');
    for (const [id, { tunnel, endpoint }] of this.#watch(account).connected) {
      if (account.store.tables.endpoints.get(id)) continue;
      if (all) bringBack(account, endpoint);
      else tunnel.onLost('removed');
    }
    if (all) this.#adopt(account);
  }

  /** Gives endpoints whose client is not connected some time, and then removes them. */
  #adopt(account: Account): void {
    for (const { id, url } of account.store.tables.endpoints.all()) {
      if (!isTunnelUrl(url)) continue;
      const { connected, orphans } = this.#watch(account);
      if (connected.has(id) || orphans.has(id)) continue;
      const giveUp = () => {
        orphans.delete(id);
        remove(account, id);
      };
      orphans.set(id, this.parts.host.setTimer(graceMs, giveUp, { unref: true }));
    }
  }

  #forget(account: Account): void {
    const watched = this.#watched.get(account);
    this.#watched.delete(account);
    for (const cancel of watched?.orphans.values() ?? []) cancel();
    for (const { close } of watched?.connected.values() ?? []) close();
  }
}

/** Call it only inside a write. */
function register(account: Account, { events, secret, resume }: TunnelOptions): Endpoint {
  const { store, ids, clock } = account;
  const { endpoints } = store.tables;
  const nowMs = clock.now();
  const known = resume === null ? undefined : endpoints.get(resume);
  if (known && isTunnelUrl(known.url)) {
    resumeEndpoint(account, known);
    return endpoints.patch(known, { events, ...(secret !== null && { secret }), updatedAtMs: nowMs });
  }
  // After a reset, the random streams start over, while tunnels keep their ids.
  let id = ids.tunnelId();
  while (endpoints.get(id)) id = ids.tunnelId();
  return endpoints.insert({
    id,
    seq: store.nextSeq(),
    url: tunnelUrl(id),
    events,
    secret: secret ?? ids.tunnelSecret(),
    status: 'active',
    pauseReason: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    failingSinceMs: null,
  });
}

/** Repeats deliveries that failed because the client was disconnected, instead of waiting for their next retry. */
function makeAgain(account: Account, { id }: Endpoint): void {
  const { store, scheduler, ids, script, clock } = account;
  const { deliveries, attempts } = store.tables;
  for (const delivery of [...deliveries.list('endpointState', `${id} retrying`)]) {
    if (attempts.list('delivery', delivery.id).at(-1)?.error?.code !== 'tunnel_closed') continue;
    redeliver({ store, scheduler, ids, script, now: () => clock.now() }, delivery);
  }
}

/** Restores the endpoint after a reset, so that a connected client keeps receiving. */
function bringBack({ store, clock }: Account, endpoint: Endpoint): void {
  const nowMs = clock.now();
  store.update(() => {
    const seq = store.nextSeq();
    store.tables.endpoints.insert({ ...endpoint, seq, createdAtMs: nowMs, updatedAtMs: nowMs });
  });
}

function remove(account: Account, id: string): void {
  transaction(account, () => {
    const endpoint = account.store.tables.endpoints.get(id);
    if (endpoint) removeEndpoint(account, endpoint);
  });
}
