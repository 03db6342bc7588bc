/**
 * Sends every response of the API plane, changed, delayed or broken if a rule says so. Its journal entry is written
 * first, together with the change of the call, and the response is sent when both are on disk.
 */
import type { ServerResponse } from 'node:http';
import type { Dialect } from '../../dialect/index.js';
import { keptBody } from '../../domain/limits.js';
import { redactedHeaders, redactedQuery } from '../../domain/request.js';
import type { RequestRecord } from '../../domain/rows.js';
import type { RespondEffect } from '../../scenario/engine/effects.js';
import type { FaultReal } from '../../scenario/schema/respond.js';
import type { SystemClock } from '../../time/system-clock.js';
import type { Call } from '../operations.js';
import { errorResponse, jsonType } from '../respond.js';
import type { ApiCall } from './api-call.js';
import { hangMs, type PlannedResponse, injectFault, scriptedResponse } from './scenario-response.js';

export interface SenderParts {
  readonly dialect: Dialect;
  readonly host: SystemClock;
  readonly version: string;
}

/** Sends the response to a call; `scripted` is the effect of a rule that replaced its operation. */
export type SendResponse = (
  call: ApiCall,
  request: Call,
  response: ServerResponse,
  planned: PlannedResponse,
  scripted?: RespondEffect,
) => void;

export function responseSender({ dialect, host, version }: SenderParts): SendResponse {
  return (call, request, response, planned, scripted) => {
    const effect = call.effectOn(planned.status);
    const sent = effect === null ? planned : scriptedResponse(effect, planned, request, dialect);
    if (sent !== planned) call.error = sent.code ?? null;
    const delayMs = effect?.latencyRealMs ?? scripted?.latencyRealMs ?? 0;
    const fault = effect?.faultReal ?? scripted?.faultReal;
    // A hanging call is in the journal at once, because the delay itself is the fault.
    if (delayMs > 0 && fault !== 'hang')
      host.setTimer(delayMs, () => write(call, request, response, sent, fault), { unref: true });
    else write(call, request, response, sent, fault, delayMs > 0 ? delayMs : hangMs);
  };

  function write(
    call: ApiCall,
    request: Call,
    response: ServerResponse,
    { status, headers: own, body }: PlannedResponse,
    fault?: FaultReal,
    holdMs = hangMs,
  ): void {
    const headers: Record<string, string> = { ...own, 'X-Sandbox': version, 'X-Sandbox-Request': call.id };
    // A rule without an id is named by its file, whose path may contain characters that are not allowed in a header.
    if (call.rule !== null) headers['X-Sandbox-Rule'] = call.rule.replace(/[^\x20-\x7e]/gu, encodeURIComponent);
    const text = bodyText(status, headers['Content-Type'], body);
    const hasHead = fault === undefined || fault === 'truncate';
    if (text !== undefined) {
      headers['Content-Type'] ??= jsonType;
      if (hasHead) headers['Content-Length'] = String(Buffer.byteLength(text));
    }
    journalCall(call, request, { status: hasHead ? status : null, headers, text }, host.monotonic());
    const { scheduler, store } = call.account;
    if (!hasHead || status === 429 || status >= 500) scheduler.touch(true, retryInMs(headers));
    const leave = () => {
      if (hasHead) response.writeHead(status, headers);
      if (fault === undefined) response.end(text);
      else injectFault[fault]({ response, text: text ?? '', host, holdMs });
    };
    const kept = call.changes ? store.answerable() : store.noted();
    if (kept === null) leave();
    else
      kept.then(leave, (error: unknown) => {
        if (!call.changes) {
          leave();
          return;
        }
        const failure = errorResponse(error, dialect, () => undefined);
        call.changes = false;
        call.error = failure.code;
        write(call, request, response, failure);
      });
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

interface Sent {
  /** Null if a fault suppressed the response. */
  readonly status: number | null;
  readonly headers: Record<string, string>;
  /** The body as it is sent; undefined if there is none. */
  readonly text: string | undefined;
}

/** Secrets are redacted before an entry is created: the visible part of a key identifies it, but is not enough to use it. */
function journalCall(call: ApiCall, request: Call, sent: Sent, endedMs: number): void {
  const { store, maxJournal } = call.account;
  const { requests } = store.tables;
  const query = redactedQuery(call.query);
  store.update(() => {
    // An error replaces a response that could not be stored.
    if (call.entry) requests.delete(call.entry);
    call.entry = requests.insert({
      id: call.id,
      seq: store.nextSeq(),
      atMs: call.atMs,
      operation: request.operation?.operationId ?? null,
      method: call.method,
      path: call.path,
      status: sent.status,
      durationMs: Math.round((endedMs - call.startedMs) * 1000) / 1000,
      request: {
        headers: redactedHeaders(request.headers),
        ...(query !== '' && { query }),
        ...(request.text !== '' && bodyKept(request.text)),
      },
      response: { headers: sent.headers, ...bodyKept(sent.text) },
      warnings: call.warnings,
      ...(call.fault !== null && { fault: call.fault }),
      ...(call.error !== null && { error: call.error }),
      ...(call.explained !== null && { explain: call.explained }),
    } satisfies RequestRecord);
    while (requests.size > maxJournal) {
      const [oldest] = requests.oldest();
      if (!oldest) break;
      store.trim('requests', oldest);
    }
  });
}

function bodyKept(text: string | undefined) {
  if (text === undefined) return undefined;
  return text.length > keptBody ? { text: text.slice(0, keptBody), truncated: true } : { text };
}
