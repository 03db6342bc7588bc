/** One API call in progress: the data for its journal entry and its response, and the middleware that it passes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse, type ParsedUrlQuery } from 'node:querystring';
import type { Explain } from '../../domain/explain.js';
import type { RequestRecord } from '../../domain/request-record.js';
import type { RespondEffect } from '../../scenario/engine/compile-slots.js';
import type { RuleSet } from '../../scenario/engine/effects.js';
import type { Account } from '../../account/account.js';
import type { OperationRoute } from './route-table.js';

/** A call as middleware sees it, with or without Express's router. */
export interface Call extends IncomingMessage {
  method: string;
  /** The original target of the request, even if a router has removed a part from `url`. */
  originalUrl: string;
  /** The text of a JSON body. */
  text?: string;
  /** The body, parsed. */
  body?: unknown;
  /** The operation, once it is known. */
  operation?: OperationRoute;
  /** In the API plane, once the call has an account. */
  context?: RequestContext;
}

export type Next = (error?: unknown) => void;
export type Middleware = (request: Call, response: ServerResponse, next: Next) => void;

export interface RequestContext {
  readonly id: string;
  readonly account: Account;
  /** Account time of arrival, in milliseconds. */
  readonly atMs: number;
  /** Machine time of arrival, for the duration. */
  readonly startedMs: number;
  readonly warnings: string[];
  /** The path of the request's target, without the query. */
  readonly path: string;
  /** The text after the question mark; empty if there is none. */
  readonly query: string;
  explain: Explain | null;
  /** The contents of the header `X-Sandbox-Prefer`. */
  prefer: RuleSet | null;
  /** The rule, magic number or header that shaped the response. */
  rule: string | null;
  /** The fault that was injected. */
  fault: string | null;
  /** How long a response that replaces the operation is delayed, and the fault that breaks it. */
  heldMs: number;
  faultReal: RespondEffect['faultReal'];
  /** How the response is changed although the operation ran. */
  respond: RespondEffect | null;
  error: string | null;
  /** Its entry in the journal, once it has one. */
  entry: RequestRecord | null;
  /** Whether the operation may have changed the account: the response then waits until the change is on disk. */
  changes: boolean;
}

/** @throws if the call has no context, which is a bug of the sandbox */
export function contextOf({ context, method, originalUrl }: Call): RequestContext {
  if (!context) throw new Error(`no context was opened for ${method} ${originalUrl}`);
  return context;
}

/** @throws if the operation of the call is not known yet, which is a bug of the sandbox */
export function operationOf({ operation, originalUrl }: Call): OperationRoute {
  if (!operation) throw new Error(`no operation for ${originalUrl}`);
  return operation;
}

/**
 * Reads a query string. A plus sign at the start of a value belongs to a phone number and is not a space:
 * `?to=+12025550101`.
 */
export function parseQuery(text: string | undefined): ParsedUrlQuery {
  return parse((text ?? '').replace(/=\+(?=\d)/g, '=%2B'));
}

/** Returns the part of a request's target before the question mark. */
export function pathOf(target: string): string {
  const start = target.indexOf('?');
  return start < 0 ? target : target.slice(0, start);
}

/** Returns the part of a request's target after the question mark; empty if it has none. */
export function queryText(target: string): string {
  const start = target.indexOf('?');
  return start < 0 ? '' : target.slice(start + 1);
}
