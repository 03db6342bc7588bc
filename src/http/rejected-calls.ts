/**
 * Calls that were rejected before they had an account: wrong or missing key, foreign Host or Origin. They are in no
 * account's journal.
 */
import type { ErrorCode, ServiceError } from '../domain/errors.js';
import { redactedHeaders, redactedQuery } from '../domain/request.js';
import type { SystemClock } from '../time/system-clock.js';
import type { Call } from './operations.js';
import { queryText } from './operation.js';

export interface RejectedCall {
  readonly seq: number;
  /** The value of `X-Sandbox-Request` in its response. */
  readonly id: string;
  /** Machine time, because each account has its own time. */
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  readonly error: ErrorCode;
  readonly message: string;
  /** The body of the response. */
  readonly response: unknown;
}

const maxRejectedCalls = 500;
const longestText = 1_000;

export class RejectedCalls {
  /** Oldest first. */
  readonly all: RejectedCall[] = [];
  #seq = 0;

  constructor(private readonly clock: Pick<SystemClock, 'now'>) {}

  add(request: Call, status: number, { code, message }: ServiceError, response: unknown): RejectedCall {
    const seq = (this.#seq += 1);
    const headers = Object.entries(redactedHeaders(request.headers)).map(([name, value]) => [name, cut(value)]);
    const call: RejectedCall = {
      seq,
      id: `refused_${seq}`,
      atMs: this.clock.now(),
      method: request.method,
      path: cut(request.path),
      query: cut(redactedQuery(queryText(request))),
      headers: Object.fromEntries(headers) as Record<string, string>,
      status,
      error: code,
      message: cut(message),
      response,
    };
    if (this.all.push(call) > maxRejectedCalls) this.all.shift();
    return call;
  }
}

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}
