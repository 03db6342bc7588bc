/** Has the access checks of every other call. Loaded with the first live socket. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import type { Account } from '../account/account.js';
import type { Accounts } from '../accounts/registry.js';
import { defaultWire } from '../dialect/wire.js';
import { invalidField, ServiceError } from '../domain/errors.js';
import { mustBe } from '../domain/must-be.js';
import { nearestWord } from '../domain/text.js';
import { eventTypes, type EventType } from '../domain/words.js';
import { callerKey, checkHost, checkOrigin, holdsToken, isToken, notAccepted, unauthorized } from '../http/guard.js';
import { errorResponse, responseText } from '../http/respond.js';
import { asksForWebSocket } from '../http/server.js';
import { loadReader } from '../reader/library.js';
import type { SystemClock } from '../time/system-clock.js';
import type { Tunnels } from '../webhooks/direct.js';
import { maxSockets, type LiveHub } from './hub.js';
import { streamChanges } from './stream.js';
import { Tunnel, type ConnectionFrame, type TunnelOptions } from './tunnel.js';

export interface UpgradeParts {
  readonly accounts: Accounts;
  readonly hub: LiveHub;
  readonly tunnels: Tunnels;
  readonly host: SystemClock;
  /** Real milliseconds; sent to tunnels. */
  readonly webhookTimeoutMs: number;
  readonly token: string | null;
  readonly allowedHosts: readonly string[];
  readonly ready: () => boolean;
  readonly report: (error: unknown) => void;
}

export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

const livePath = '/_sandbox/live';
/** Maximum size of a client's frame: a response through a tunnel, of whose body 64 KiB are kept. */
const mostReceivedBytes = 1024 * 1024;
/** Real milliseconds. */
const closeTimeout = 5000;
/**
 * Number of unread bytes after which a client counts as having stopped reading; a healthy client has only kilobytes.
 */
const mostBufferedBytes = 1024 * 1024;
const tryAgainLater = 1013;
const readOnly =
  'This socket is read-only. Connect with tunnel=1 to respond to deliveries; for everything else, use HTTP calls.';

export function liveUpgrade(parts: UpgradeParts): UpgradeListener {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: mostReceivedBytes,
    closeTimeout,
  } as ServerOptions);
  // Otherwise ws would respond to a handshake that breaks its rules, such as one without a key, with ws's own text.
  server.on('wsClientError', ({ message }, socket) =>
    reject(
      socket,
      new ServiceError('validation_error', `This is not a WebSocket handshake: ${message}.`),
      parts.report,
    ),
  );
  return (request, socket, head) => {
    const accept = async () => {
      const { key, query } = authorise(parts, request);
      // The key can name a scenario.
      await loadReader();
      // Other clients may have connected meanwhile.
      requireCapacity(parts);
      const account = parts.accounts.of(key);
      server.handleUpgrade(request, socket, head, (accepted) => connect(parts, accepted, account, query));
    };
    accept().catch((error: unknown) => reject(socket, error, parts.report));
  };
}

function connect(parts: UpgradeParts, socket: WebSocket, account: Account, query: Query): void {
  const { accounts, host, hub, report, tunnels, webhookTimeoutMs: timeout_ms } = parts;
  const send = (text: string): void => sendTo(socket, text);
  const say = (frame: ConnectionFrame): void => send(JSON.stringify(frame));
  const tunnel = query.tunnel && new Tunnel(account, query.tunnel, tunnels, say);
  /** An error in handling a client's frame ends its own connection only. */
  const owned = <Given extends unknown[]>(work: (...given: Given) => void) => {
    return (...given: Given): void => {
      try {
        work(...given);
      } catch (error) {
        report(error);
        socket.terminate();
      }
    };
  };
  hub.add(socket, account, tunnel);
  if (tunnel === null) {
    const refuse = () => say({ kind: 'error', data: { code: 'validation_error', message: readOnly } });
    socket.on('message', owned(refuse));
    socket.on('close', owned(streamChanges(account, { send, report, summary: query.summary ? host : null })));
    return;
  }
  socket.on(
    'message',
    owned((data) => tunnel.hear((data as Buffer).toString())),
  );
  socket.on(
    'close',
    owned(() => {
      if (accounts.holds(account)) tunnel.end();
    }),
  );
  const { id, ...endpoint } = tunnel.endpoint;
  say({ kind: 'tunnel.ready', data: { webhook_id: id, ...endpoint, timeout_ms } });
}

/** Disconnects a client that does not keep up; it connects again and reads again. */
function sendTo(socket: WebSocket, text: string): void {
  if (socket.readyState !== socket.OPEN) return;
  // Checked before sending, because a single frame may be larger than the limit and must still be sent.
  if (socket.bufferedAmount > mostBufferedBytes) {
    socket.close(tryAgainLater, `too slow: over ${mostBufferedBytes / 1024} KiB unread`);
    return;
  }
  // The close that follows reports an error by its code.
  socket.send(text, () => undefined);
}

function authorise(parts: UpgradeParts, request: IncomingMessage): { readonly key: string; readonly query: Query } {
  checkHost(request, parts.allowedHosts);
  // Browsers open a page's WebSocket to any host without a preflight, so only pages of this sandbox are accepted.
  checkOrigin(request);
  // Newer versions of Node report any other protocol as an upgrade too.
  if (!asksForWebSocket(request)) {
    const found = `"Upgrade: ${request.headers.upgrade ?? ''}"`;
    throw new ServiceError('validation_error', `${found} is not supported. Omit it, or request websocket.`);
  }
  // A query may contain a question mark, such as in a key.
  const [, path = '', search = ''] = /^([^?]*)\??(.*)$/.exec(request.url ?? '') ?? [];
  if (path !== livePath) {
    throw new ServiceError('not_found', `There is no WebSocket at ${path}; the live stream is at ${livePath}.`);
  }
  const params = new URLSearchParams(search);
  if (parts.token !== null) requireToken(request, params, parts.token);
  const query = parseQuery(params);
  const key = params.get('key') ?? callerKey(parts.accounts, request, parts.token, 'watch');
  if (!parts.accounts.accepts(key)) throw notAccepted(key);
  requireCapacity(parts);
  return { key, query };
}

interface Query {
  /** Null for the stream. */
  readonly tunnel: TunnelOptions | null;
  readonly summary: boolean;
}

const ofTunnels = ['events', 'secret'];
const names = ['key', 'control_token', 'summary', 'tunnel', ...ofTunnels];

/** Unknown names are errors. @throws ServiceError */
function parseQuery(query: URLSearchParams): Query {
  const tunnel = query.get('tunnel') ?? '0';
  for (const name of query.keys()) {
    if (!names.includes(name)) throw invalidField(name, `is unknown.${meant(name, names)} Known: ${names.join(', ')}`);
    if (query.getAll(name).length > 1) throw invalidField(name, 'is given twice; give it once');
    if (ofTunnels.includes(name) && tunnel === '0') throw invalidField(name, 'belongs to a tunnel; add tunnel=1');
  }
  const summary = query.get('summary') ?? '0';
  for (const [name, value] of Object.entries({ tunnel, summary }))
    if (!/^[01]$/.test(value)) throw invalidField(name, mustBe('1 or 0', value));
  if (tunnel === '0') return { tunnel: null, summary: summary === '1' };
  if (summary === '1') throw invalidField('summary', 'does not belong to a tunnel; omit tunnel=1');
  const events = (query.get('events')?.split(',') ?? eventTypes) as EventType[];
  const unknown = events.find((word) => !eventTypes.includes(word));
  if (unknown !== undefined) {
    const hint = `${meant(unknown, eventTypes)} Known: ${eventTypes.join(', ')}`;
    throw invalidField('events', `contains the unknown event type "${unknown}".${hint}`);
  }
  const secret = query.get('secret');
  if (secret !== null && !/^whsec_[\x21-\x7e]{1,250}$/.test(secret)) {
    throw invalidField('secret', 'must begin with "whsec_", followed by 1 to 250 visible ASCII characters');
  }
  return { tunnel: { events: [...new Set(events)], secret }, summary: false };
}

function meant(word: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known);
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}

/** Browsers cannot send headers with a WebSocket, so the token may be in the query. */
function requireToken(request: IncomingMessage, params: URLSearchParams, token: string): void {
  const given = params.get('control_token');
  if (given === null ? holdsToken(request, token) : isToken(given, token)) return;
  throw unauthorized(
    'The live stream of this sandbox requires a token. Send it as X-Sandbox-Token, or as control_token in the query.',
  );
}

class Busy extends Error {}

function requireCapacity({ hub, ready }: UpgradeParts): void {
  if (!ready() || hub.closing) throw new Busy('This sandbox is not ready, or is about to stop; try again in a moment.');
  if (hub.full) throw new Busy(`Limit reached: this sandbox already has ${maxSockets} live sockets open. Close some.`);
}

function reject(socket: Duplex, error: unknown, report: (error: unknown) => void): void {
  const busy = error instanceof Busy;
  const known = busy ? new ServiceError('limit_reached', error.message, { headers: { 'Retry-After': '1' } }) : error;
  const response = errorResponse(known, defaultWire, report);
  socket.end(responseText(busy ? { ...response, status: 503 } : response));
}
