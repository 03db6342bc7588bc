import type { Response } from 'express';
import type { Account } from '../../account/account.js';
import type { Accounts } from '../../accounts/registry.js';
import type { ScenarioLibrary } from '../../reader/library.js';
import type { SnapshotShelf } from '../../store/snapshots.js';
import type { SystemClock } from '../../time/system-clock.js';
import type { Sender } from '../../webhooks/send.js';
import type { Call, OpenApiDocument } from '../operations.js';
import type { ExplorationReport } from '../pages/ui.js';
import type { RejectedCalls } from '../rejected-calls.js';

export interface ControlService {
  readonly accounts: Accounts;
  readonly host: SystemClock;
  readonly shelf: SnapshotShelf;
  readonly scenarios: ScenarioLibrary;
  readonly version: string;
  readonly documents: Readonly<Record<'api' | 'control' | 'requests', OpenApiDocument>>;
  readonly facts: () => ProcessFacts;
  readonly webhookTimeoutMs: number;
  readonly senderOf: (key: string) => Sender;
  readonly rejected: RejectedCalls;
  readonly explorationReport: ExplorationReport;
}

export interface ProcessFacts {
  readonly startedAtMs: number;
  readonly uptimeMs: number;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string | null;
  readonly maxAccounts: number;
  readonly maxSockets: number;
}

export type Query = Readonly<Record<string, unknown>>;

export interface ControlContext {
  readonly account: Account;
  readonly service: ControlService;
  readonly request: Call;
  /** Its status is 200 and its type JSON, unless a handler sets them. */
  readonly response: Response;
  readonly name: string;
  /** The values after validation: numbers are numbers, and defaults are set. */
  readonly query: Query;
  readonly body: unknown;
  /** Validates a query as the GET with this operationId would. It throws `validation_error`. */
  readonly validateQuery: (operationId: string, query: Query) => Promise<void>;
}

/** Returns the body of the response: a value as JSON, or a text. Undefined means 204. */
export type ControlHandler = (
  context: ControlContext,
) => object | string | undefined | Promise<object | undefined | string>;

export interface ControlOperation {
  readonly run: ControlHandler;
  /** YAML as well as JSON; any text; or the JSON of a snapshot. By default JSON of at most 1 MB. */
  readonly body?: 'yaml' | 'text' | 'snapshot';
  /** Changes no account although it is not a GET, or frees space: it is also allowed on a full disk. */
  readonly isHarmless?: boolean;
  /**
   * The account of the caller is created if it does not exist. By default, a call that only reads or deletes
   * creates it only for a named key, and only if there is room.
   */
  readonly creates?: 'always' | 'if there is room' | 'never';
}

/** Keys are operationIds. */
export type ControlHandlers = Readonly<Record<string, ControlHandler | ControlOperation>>;
