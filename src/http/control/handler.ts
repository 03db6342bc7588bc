/** The input and output of a handler of the control plane. */
import type { Account } from '../../account/account.js';
import type { Accounts } from '../../accounts/registry.js';
import type { SystemClock } from '../../time/system-clock.js';
import type { ScenarioLibrary } from '../../scenario/runtime/library.js';
import type { Sender } from '../../webhooks/exchange.js';
import type { SnapshotShelf } from '../../store/snapshots.js';
import type { OpenApiDocument } from '../api/route-table.js';
import type { ExplorationReport } from '../pages/exploration.js';
import type { RejectedCalls } from '../rejected-calls.js';

export interface ControlContext {
  /** The caller's account. */
  readonly account: Account;
  /** The id, name, key or number in the path; empty if the path has none. */
  readonly name: string;
  /** The values after validation: numbers are numbers. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The JSON text that `body` was read from, which may have been written by hand. */
  readonly text: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly service: ControlService;
}

/** The parts of the sandbox, other than accounts, that the handlers need. */
export interface ControlService {
  readonly accounts: Accounts;
  readonly host: SystemClock;
  readonly shelf: SnapshotShelf;
  readonly scenarios: ScenarioLibrary;
  readonly version: string;
  readonly documents: { readonly api: OpenApiDocument; readonly control: OpenApiDocument };
  /** The data of the process in `GET /_sandbox/info`. */
  readonly facts: () => ProcessFacts;
  readonly webhookTimeoutMs: number;
  /**
   * Returns the interface to an account's receivers, past rules and deliveries.
   * @param key the key of the account
   */
  readonly senderOf: (key: string) => Sender;
  readonly rejected: RejectedCalls;
  readonly explorationReport: ExplorationReport;
}

export interface ProcessFacts {
  readonly uptimeMs: number;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string | null;
  readonly maxAccounts: number;
  readonly maxSockets: number;
}

/** Returns the address of the sandbox that the caller used. */
export function calledUrl({ headers, service }: Pick<ControlContext, 'headers' | 'service'>): string {
  const { host, port } = service.facts();
  return `http://${String(headers['host'] ?? `${host}:${port}`)}`;
}

/** JSON with 200, JSON as bytes, or a text of any type and status. Undefined means 204. */
export type ControlResponse = object | StreamResponse | TextResponse | undefined;

/** JSON that is too long to be held in memory for each client. */
export class StreamResponse {
  constructor(readonly slices: AsyncIterable<Buffer>) {}
}

export class TextResponse {
  constructor(
    readonly text: string,
    readonly contentType: string,
    readonly status = 200,
  ) {}
}

export type ControlHandler = (context: ControlContext) => ControlResponse | Promise<ControlResponse>;
export type ControlHandlers = Readonly<Record<string, ControlHandler>>;
