/** The input and output of a handler of the control plane. */
import type { Account } from '../../account/account.js';
import type { Accounts } from '../../account/registry.js';
import type { SystemClock } from '../../time/system-clock.js';
import type { ScenarioLibrary } from '../../scenario/run/library.js';
import type { Sender } from '../../webhooks/exchange.js';
import type { SnapshotShelf } from '../../store/snapshots.js';
import type { OpenApiDocument } from '../operations.js';
import type { ExplorationReport } from '../pages/ui.js';
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
  /**
   * Validates a query as a GET of another path would be.
   * @throws ServiceError `validation_error`
   */
  readonly validateQuery: (path: string, query: Query) => Promise<void>;
}

/** The parts of the sandbox, other than accounts, that the handlers need. */
export interface ControlService {
  readonly accounts: Accounts;
  readonly host: SystemClock;
  readonly shelf: SnapshotShelf;
  readonly scenarios: ScenarioLibrary;
  readonly version: string;
  readonly documents: Readonly<Record<'api' | 'control' | 'requests', OpenApiDocument>>;
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

/** JSON with 200, or a text of any type and status. Undefined means 204. */
export type ControlResponse = object | TextResponse | undefined;

export class TextResponse {
  constructor(
    readonly text: string,
    readonly contentType: string,
    readonly status = 200,
  ) {}
}

export type ControlHandler = (context: ControlContext) => ControlResponse | Promise<ControlResponse>;

/** A handler whose call differs from others: by default, a body is JSON of at most 1 MB, and all but a GET change the account. */
export interface ControlOperation {
  readonly run: ControlHandler;
  /** YAML as well as JSON; any text; or the JSON of a snapshot. */
  readonly body?: 'yaml' | 'text' | 'snapshot';
  /** Changes nothing although it is not a GET, or frees space: it is also allowed on a full disk. */
  readonly isHarmless?: boolean;
  /** Removes what the account has, although it is not a DELETE. */
  readonly removes?: boolean;
  /** Waits for what will happen in the account, which therefore must exist. */
  readonly lasts?: boolean;
  /** Whether a call is about accounts that it names, so that the caller's own need not exist. */
  readonly isOfOthers?: (call: { readonly key: string; readonly name: string; readonly query: Query }) => boolean;
}

type Query = Readonly<Record<string, unknown>>;

export type ControlHandlers = Readonly<Record<string, ControlHandler | ControlOperation>>;
