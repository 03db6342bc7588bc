/**
 * Sends every response of the API plane: changed, delayed or broken where a rule says so, and after its journal entry. The
 * entry is written together with the change of the call, and the response leaves when both outlive the process.
 */
import type { ServerResponse } from 'node:http';
import { perform } from '../../account/account.js';
import type { Dialect } from '../../dialect/index.js';
import type { RespondEffect } from '../../scenario/engine/effects.js';
import type { FaultReal } from '../../scenario/language/slots.js';
import type { SystemClock } from '../../time/system-clock.js';
import { Departures } from './departures.js';
import { answerError } from './error-response.js';
import { exchangeOf, type Call, type Exchange } from './request-context.js';
import { journalCall } from './journal.js';
import { decide, takeOver } from './scenario-decision.js';
import { scriptedAnswer, type Answer } from './scenario-response.js';
import { hangMs, strike, wantsHead } from './socket-faults.js';

export interface SenderParts {
  readonly dialect: Dialect;
  readonly host: SystemClock;
  readonly version: string;
}

export function answerSender({ dialect, host, version }: SenderParts) {
  const departures = new Departures(host);

  return (request: Call, response: ServerResponse, planned: Answer): void => {
    const exchange = exchangeOf(request);
    const effect = afterAnswer(exchange, request, planned.status) ?? exchange.respond;
    const answer = effect?.accept === true ? scriptedAnswer(effect, planned, exchange, dialect) : planned;
    if (answer !== planned) exchange.error = answer.code ?? null;
    const heldMs = effect?.latencyRealMs ?? exchange.heldMs;
    const fault = effect?.faultReal ?? exchange.faultReal;
    const holdMs = heldMs > 0 ? heldMs : hangMs;
    const write = () => writeAnswer(request, response, exchange, answer, fault && { fault, holdMs });
    // A hanging call is on record at once: the time it is held for is the fault itself.
    if (heldMs > 0 && fault !== 'hang') host.setTimer(heldMs, write, { unref: true });
    else write();
  };

  function writeAnswer(
    request: Call,
    response: ServerResponse,
    exchange: Exchange,
    { status, headers, body }: Answer,
    broken: { readonly fault: FaultReal; readonly holdMs: number } | undefined,
  ): void {
    const sent: Record<string, string> = {
      ...headers,
      'X-Sandbox': version,
      'X-Sandbox-Request': exchange.id,
    };
    if (exchange.rule !== null) sent['X-Sandbox-Rule'] = headerText(exchange.rule);
    const text = bodyText(status, sent['Content-Type'], body);
    if (text !== undefined) sent['Content-Type'] ??= 'application/json; charset=utf-8';
    const answered = broken === undefined || wantsHead(broken.fault);
    if (answered && text !== undefined) sent['Content-Length'] = String(Buffer.byteLength(text));
    const shown = {
      status: answered ? status : null,
      headers: sent,
      body: text === undefined ? undefined : body,
      text,
    };
    journalCall(exchange, request, shown, host.monotonic());
    const leave = () => {
      if (answered) response.writeHead(status, sent);
      if (broken === undefined) departures.end(response, text ?? '');
      else strike(broken.fault, { response, text: text ?? '', host, holdMs: broken.holdMs });
    };
    const { store } = exchange.account;
    const kept = exchange.changes ? store.answerable() : store.noted();
    if (kept === null) leave();
    else
      kept.then(leave, (error: unknown) => {
        if (!exchange.changes) {
          leave();
          return;
        }
        const refusal = answerError(error, dialect, () => undefined);
        exchange.changes = false;
        exchange.error = refusal.code;
        writeAnswer(request, response, exchange, refusal, undefined);
      });
  }

  /** Rules of `api.any` that match a status can only be asked now. */
  function afterAnswer(exchange: Exchange, request: Call, status: number): RespondEffect | null {
    const { account, path } = exchange;
    if (!account.script.asksAfterAnswer) return null;
    const { respond } = perform(account, () => decide(exchange, 'api.any', { method: request.method, path, status }));
    if (!respond) return null;
    takeOver(exchange, respond.explain, respond.effect.faultReal ?? 'respond');
    return { ...respond.effect, accept: true };
  }
}

/** @returns the body on the wire; undefined where there is none, as under a status that has none (RFC 9110, 15) */
function bodyText(status: number, contentType: string | undefined, body: unknown): string | undefined {
  if (body === undefined || status === 204 || status === 304) return undefined;
  // A rule that names another media type, such as the HTML of a proxy, means its text as it stands.
  const plain = typeof body === 'string' && contentType !== undefined && !/\bjson\b/i.test(contentType);
  return plain ? body : JSON.stringify(body);
}

/** A rule without an id is named by its file, whose path may hold what no header may. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, encodeURIComponent);
}
