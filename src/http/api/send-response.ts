/**
 * Sends every response of the API plane, changed, delayed or broken if a rule says so. Its journal entry is written
 * first, together with the change of the call, and the response is sent when both are on disk.
 */
import type { ServerResponse } from 'node:http';
import { transaction } from '../../account/account.js';
import type { Dialect } from '../../dialect/index.js';
import type { RespondEffect } from '../../scenario/engine/compile-slots.js';
import type { FaultReal } from '../../scenario/schema/respond.js';
import type { SystemClock } from '../../time/system-clock.js';
import { errorResponse, jsonType } from '../respond.js';
import { journalCall } from './journal.js';
import { contextOf, type Call, type RequestContext } from '../call.js';
import { decide, takeOver } from './scenario-decision.js';
import { hangMs, type PlannedResponse, injectFault, scriptedResponse } from './scenario-response.js';

export interface SenderParts {
  readonly dialect: Dialect;
  readonly host: SystemClock;
  readonly version: string;
}

export function responseSender({ dialect, host, version }: SenderParts) {
  return (request: Call, response: ServerResponse, planned: PlannedResponse): void => {
    const context = contextOf(request);
    const effect = effectByStatus(context, request, planned.status) ?? context.respond;
    const sent = effect?.accept === true ? scriptedResponse(effect, planned, request, dialect) : planned;
    if (sent !== planned) context.error = sent.code ?? null;
    const delayMs = effect?.latencyRealMs ?? context.heldMs;
    const fault = effect?.faultReal ?? context.faultReal;
    const leave = () => write(request, response, sent, fault, delayMs > 0 ? delayMs : hangMs);
    // A hanging call is in the journal at once, because the delay itself is the fault.
    if (delayMs > 0 && fault !== 'hang') host.setTimer(delayMs, leave, { unref: true });
    else leave();
  };

  function write(
    request: Call,
    response: ServerResponse,
    planned: PlannedResponse,
    fault?: FaultReal,
    holdMs = 0,
  ): void {
    const context = contextOf(request);
    const { status, body } = planned;
    const headers = headersOf(context, planned);
    const text = bodyText(status, headers['Content-Type'], body);
    const hasHead = fault === undefined || fault === 'truncate';
    if (text !== undefined) {
      headers['Content-Type'] ??= jsonType;
      if (hasHead) headers['Content-Length'] = String(Buffer.byteLength(text));
    }
    journalCall(context, request, { status: hasHead ? status : null, headers, text }, host.monotonic());
    if (!hasHead || status === 429 || status >= 500) context.account.scheduler.touch(true, retryInMs(headers));
    const leave = () => {
      if (hasHead) response.writeHead(status, headers);
      if (fault === undefined) response.end(text);
      else injectFault[fault]({ response, text: text ?? '', host, holdMs });
    };
    const { store } = context.account;
    const kept = context.changes ? store.answerable() : store.noted();
    if (kept === null) leave();
    else
      kept.then(leave, (error: unknown) => {
        if (!context.changes) {
          leave();
          return;
        }
        const failure = errorResponse(error, dialect, () => undefined);
        context.changes = false;
        context.error = failure.code;
        write(request, response, failure);
      });
  }

  function headersOf({ id, rule }: RequestContext, { headers }: PlannedResponse): Record<string, string> {
    const all: Record<string, string> = { ...headers, 'X-Sandbox': version, 'X-Sandbox-Request': id };
    // A rule without an id is named by its file, whose path may contain characters that are not allowed in a header.
    if (rule !== null) all['X-Sandbox-Rule'] = rule.replace(/[^\x20-\x7e]/gu, encodeURIComponent);
    return all;
  }

  /** Returns the actions of rules of `api.any` that match on a status, which can only be evaluated now. */
  function effectByStatus(context: RequestContext, request: Call, status: number): RespondEffect | null {
    const { account, path } = context;
    if (!account.script.asksAfterAnswer) return null;
    const { respond } = transaction(account, () =>
      decide(context, 'api.any', { method: request.method, url: path, status }),
    );
    if (!respond) return null;
    takeOver(context, respond.explain, respond.effect.faultReal ?? 'respond');
    return { ...respond.effect, accept: true };
  }
}

/** The time in which a client may repeat a call without a Retry-After, in machine milliseconds. */
const usualRetryMs = 5_000;
/** The sandbox does not wait in real time for a longer Retry-After. */
const longestRetryMs = 30_000;

function retryInMs({ 'Retry-After': after }: Readonly<Record<string, string>>): number {
  const afterMs = Number(after ?? 0) * 1000;
  if (!(afterMs > 0)) return usualRetryMs;
  return afterMs > longestRetryMs ? 0 : afterMs;
}

/** Returns the body to send; undefined if there is none, or if the status does not allow one (RFC 9110, 15). */
function bodyText(status: number, contentType: string | undefined, body: unknown): string | undefined {
  if (body === undefined || status === 204 || status === 304) return undefined;
  // If a rule names another media type, such as the HTML of a proxy, its text is sent unchanged.
  const plain = typeof body === 'string' && contentType !== undefined && !/\bjson\b/i.test(contentType);
  return plain ? body : JSON.stringify(body);
}
