/**
 * The endpoint of a tunnel client: registered when the client connects, removed when it leaves. After a broken connection
 * the endpoint is kept for a while, so that the client can resume with the same URL and secret (docs/control-plane.md).
 */
import { perform, type Account } from '../account/account.js';
import type { Accounts } from '../accounts/registry.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { EventType } from '../domain/event.js';
import type { AccountStore } from '../store/tables/account-store.js';
import type { Change } from '../store/tables/table.js';
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

interface Attached {
  readonly tunnel: Tunnel;
  readonly close: () => void;
  /** As registered, to be restored after a reset. */
  readonly endpoint: Endpoint;
}

interface Watched {
  readonly attached: Map<string, Attached>;
  readonly orphans: Map<string, Cancel>;
}

export class TunnelEndpoints {
  readonly #watched = new Map<Account, Watched>();
  #closed = false;

  constructor(
    private readonly parts: { readonly accounts: Accounts; readonly tunnels: Tunnels; readonly host: SystemClock },
  ) {
    // Clients of the previous process may resume with endpoints of the data directory.
    parts.accounts.onOpen((account) => {
      if ([...account.store.tables.endpoints.all()].some(({ url }) => isTunnelUrl(url))) this.#adopt(account);
    });
    parts.accounts.onDrop((account) => this.#forget(account));
  }

  /** Registers the client's endpoint, or returns the one it had before. */
  attach(account: Account, options: TunnelOptions, tunnel: Tunnel): Endpoint {
    const watched = this.#watch(account);
    const endpoint = perform(account, () => register(account, options));
    const { id } = endpoint;
    watched.attached.get(id)?.tunnel.onLost('taken');
    watched.orphans.get(id)?.();
    watched.orphans.delete(id);
    const close = this.parts.tunnels.open(account.key, id, tunnel.receive);
    watched.attached.set(id, { tunnel, close, endpoint: { ...endpoint } });
    // Only now can the endpoint be reached.
    perform(account, () => makeAgain(account, endpoint));
    return endpoint;
  }

  /** @param forGood whether the client disconnected intentionally; otherwise its endpoint is kept for a while */
  detach(account: Account, id: string, tunnel: Tunnel, forGood: boolean): void {
    const watched = this.#watched.get(account);
    const attached = watched?.attached.get(id);
    if (!watched || attached?.tunnel !== tunnel) return;
    attached.close();
    watched.attached.delete(id);
    if (this.#closed) return;
    if (forGood) remove(account, id);
    else this.#orphan(account, watched, id);
  }

  /** The sandbox stops: endpoints stay unchanged. */
  close(): void {
    this.#closed = true;
    for (const account of [...this.#watched.keys()]) this.#forget(account);
  }

  #watch(account: Account): Watched {
    const known = this.#watched.get(account);
    if (known) return known;
    const watched: Watched = { attached: new Map(), orphans: new Map() };
    this.#watched.set(account, watched);
    account.store.onCommit((changes) => {
      const gone = goneIn(changes);
      // Runs after the whole call: after a reset, the call also creates the records of the scenario.
      if (gone) queueMicrotask(() => this.#mend(account, gone.all));
    });
    return watched;
  }

  /** Endpoints were removed: by a reset or restore (`all`), or one by one through the API. */
  #mend(account: Account, all: boolean): void {
    const watched = this.#watched.get(account);
    if (!watched || this.#closed) return;
    for (const [id, attached] of watched.attached) {
      if (account.store.tables.endpoints.get(id)) continue;
      if (all) bringBack(account, attached.endpoint);
      else attached.tunnel.onLost('removed');
    }
    if (all) this.#adopt(account);
  }

  /** Handles endpoints whose client is not connected. */
  #adopt(account: Account): void {
    const watched = this.#watch(account);
    for (const { id, url } of account.store.tables.endpoints.all()) {
      if (isTunnelUrl(url) && !watched.attached.has(id) && !watched.orphans.has(id)) this.#orphan(account, watched, id);
    }
  }

  #orphan(account: Account, watched: Watched, id: string): void {
    const giveUp = () => {
      watched.orphans.delete(id);
      remove(account, id);
    };
    watched.orphans.set(id, this.parts.host.setTimer(graceMs, giveUp, { unref: true }));
  }

  #forget(account: Account): void {
    const watched = this.#watched.get(account);
    this.#watched.delete(account);
    for (const cancel of watched?.orphans.values() ?? []) cancel();
    for (const { close } of watched?.attached.values() ?? []) close();
  }
}

function goneIn(changes: readonly Change[]): { readonly all: boolean } | null {
  let gone: { all: boolean } | null = null;
  for (const { op, table } of changes) {
    if (table !== 'endpoints') continue;
    if (op === 'clear') return { all: true };
    if (op === 'delete') gone = { all: false };
  }
  return gone;
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
  const id = freeId(store, () => ids.tunnelId());
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

/** After a reset, the random streams start over, while tunnels keep their ids. */
function freeId({ tables }: AccountStore, draw: () => string): string {
  let id = draw();
  while (tables.endpoints.get(id)) id = draw();
  return id;
}

/** Repeats deliveries that failed because the client was disconnected, instead of waiting for their next retry. */
function makeAgain(account: Account, { id }: Endpoint): void {
  const { store, scheduler, ids, script, clock } = account;
  const { deliveries, attempts } = store.tables;
  for (const delivery of [...deliveries.list('endpointState', `${id} retrying`)]) {
    if (attempts.list('delivery', delivery.id).last()?.error?.code !== 'tunnel_closed') continue;
    redeliver({ store, scheduler, ids, script, now: () => clock.now() }, delivery);
  }
}

/** Restores the endpoint after a reset, so that a connected client keeps receiving. */
function bringBack(account: Account, endpoint: Endpoint): void {
  const { store, clock } = account;
  const nowMs = clock.now();
  store.update(() => {
    const seq = store.nextSeq();
    store.tables.endpoints.insert({ ...endpoint, seq, createdAtMs: nowMs, updatedAtMs: nowMs });
  });
}

function remove(account: Account, id: string): void {
  perform(account, () => {
    const endpoint = account.store.tables.endpoints.get(id);
    if (endpoint) removeEndpoint(account, endpoint);
  });
}
