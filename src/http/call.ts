/** One call in progress, with its operation and its body as it came. */
import { parse, type ParsedUrlQuery } from 'node:querystring';
import type { Request } from 'express';
import type { ApiCall } from './api/api-call.js';
import type { Operation } from './operations.js';

export interface Call extends Request {
  /** The text of a JSON body. */
  text?: string;
  /** Set by its route. */
  operation?: Operation;
  /** In the API plane, once the call has an account. */
  api?: ApiCall;
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
