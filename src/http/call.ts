/** One call in progress: its operation, its body as it came, and the data for its journal entry and its response. */
import { parse, type ParsedUrlQuery } from 'node:querystring';
import type { Request } from 'express';
import type { Account } from '../account/account.js';
import type { Explain, RequestRecord } from '../domain/rows.js';
import type { RespondEffect } from '../scenario/engine/compile-slots.js';
import type { RuleSet } from '../scenario/engine/effects.js';
import type { Operation } from './operations.js';

export interface Call extends Request {
  /** The text of a JSON body. */
  text?: string;
  /** Set by its route. */
  operation?: Operation;
  /** In the API plane, once the call has an account. */
  context?: RequestContext;
}

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
export function operationOf({ operation, originalUrl }: Call): Operation {
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

/** Returns the complete path of a call. */
export function pathOf({ baseUrl, path }: Pick<Request, 'baseUrl' | 'path'>): string {
  return baseUrl + path;
}

/** Returns the part of a call's target after the question mark; empty if it has none. */
export function queryText({ originalUrl }: Pick<Request, 'originalUrl'>): string {
  const start = originalUrl.indexOf('?');
  return start < 0 ? '' : originalUrl.slice(start + 1);
}
