/**
 * One API-plane call while it is being answered: what is known of it so far, for the journal and the answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account } from '../../account/account.js';
import type { Explain } from '../../domain/explain.js';
import type { RespondEffect } from '../../scenario/engine/effects.js';
import type { RuleSet } from '../../scenario/engine/rules.js';
import type { OperationRoute } from './route-table.js';

/**
 * A call as the steps of a plane see it. What Express adds to a request beyond that is there only where it came through
 * Express's router (docs/decisions/007).
 */
export interface Call extends IncomingMessage {
  method: string;
  /** The target of the request as it came, whatever a router has cut off `url` since. */
  originalUrl: string;
  body?: unknown;
}

export interface Exchange {
  readonly id: string;
  /** Whose journal the call stands in: the key's account, or the default one when the key was refused. */
  readonly account: Account;
  /** Account time of arrival, in milliseconds. */
  readonly atMs: number;
  /** Machine time of arrival, for the duration. */
  readonly startedMs: number;
  readonly warnings: string[];
  /** Of the request's target, without its query. */
  readonly path: string;
  /** What stands behind the question mark; empty where there is none. */
  readonly query: string;
  route: OperationRoute | null;
  explain: Explain | null;
  /** What the request's own header asks for. */
  prefer: RuleSet | null;
  /** The rule, magic number or header that shaped the answer. */
  rule: string | null;
  /** Which fault struck. */
  fault: string | null;
  /** Of an answer that stands for the operation: how long it is held back, and what breaks it. */
  heldMs: number;
  faultReal: RespondEffect['faultReal'];
  /** How the answer is to be changed although the operation happened. */
  respond: RespondEffect | null;
  error: string | null;
  /** Whether the operation may have changed the account: the response then waits until the change lasts. */
  changes: boolean;
}

/** Kept on the request itself: a weak map of so many short-lived requests would keep the garbage collector busy. */
const own = Symbol('exchange');

interface Held extends Call {
  [own]?: Exchange;
}

export function openExchange(request: Held, exchange: Exchange): void {
  request[own] = exchange;
}

/** False when the call was refused before it had an account to stand in: there are as many as there may be. */
export function hasExchange(request: Held): boolean {
  return request[own] !== undefined;
}

/** @throws when the call did not come through the API plane: a bug of ours */
export function exchangeOf(request: Held): Exchange {
  const exchange = request[own];
  if (!exchange) throw new Error(`no exchange was opened for ${request.method} ${request.originalUrl}`);
  return exchange;
}

export type Next = (error?: unknown) => void;
/** A step of a plane. */
export type Step = (request: Call, response: ServerResponse, next: Next) => void;
