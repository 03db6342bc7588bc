/** The response to a call of the API plane, which a rule may change, delay or break. */
import type { Response } from 'express';
import { transaction, type Account } from '../../account/account.js';
import { AccountCall, ScriptedResponse } from '../../account/call.js';
import type { Wire } from '../../dialect/wire.js';
import type { FaultReal } from '../../language/respond.js';
import type { RespondEffect } from '../../rules/effects.js';
import type { SystemClock } from '../../time/system-clock.js';
import { type OperationCall, queryText } from '../operation.js';
import { errorResponse, jsonType } from '../respond.js';
import { injectFault, type PlannedResponse, preferHeader, readPrefer, scriptedResponse } from './scenario-response.js';

export interface ReplyParts {
  readonly wire: Wire;
  readonly host: SystemClock;
  readonly version: string;
  readonly report: (error: unknown) => void;
}

interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;
  readonly code: string | undefined;
  readonly fault: FaultReal | undefined;
  /** Machine milliseconds until it is sent or, if it hangs, for which the socket stays open. */
  readonly delayMs: number;
}

export class Reply {
  readonly call: AccountCall;
  /** The operation can have changed the account, so the response waits until the change is on disk. */
  changes = false;
  readonly #startedMs: number;
  #retryAfterMs = 0;

  constructor(
    readonly account: Account,
    private readonly request: OperationCall,
    private readonly response: Response,
    private readonly parts: ReplyParts,
  ) {
    const { method, path, headers } = request;
    this.call = new AccountCall(account, { method, path, query: queryText(request), headers });
    this.#startedMs = parts.host.monotonic();
    const ended = account.quiet.began(`${method} ${request.url}`);
    response.once('close', () => {
      const { statusCode, writableFinished } = response;
      const status = writableFinished ? statusCode : null;
      ended({ status, retryAfterMs: this.#retryAfterMs, rule: this.call.rule, body: request.text });
    });
  }

  /**
   * Reads the header and applies the rules of `api.any`, before the call itself is validated.
   * @throws ServiceError `validation_error` with every error in the header
   */
  begin(): void {
    const { call, account } = this;
    const header = this.request.headers[preferHeader];
    if (header !== undefined) call.preferred = readPrefer(header);
    else if (!account.script.hasRulesAt('api.any')) return;
    transaction(account, () => call.begin());
  }

  fail(error: unknown): void {
    this.run(() => {
      throw error;
    });
  }

  /** The change of the operation and the entry in the journal are one write. */
  run(operation: (call: AccountCall) => PlannedResponse): void {
    const { call, account } = this;
    const work = () => {
      call.requireCurrent();
      call.nowMs = account.clock.now();
      return operation(call);
    };
    // The account may have been reset since the call began; then nothing of it is stored.
    const isCurrent = !call.isOver;
    this.#send(isCurrent ? transaction(account, () => this.#recorded(work)) : this.#outgoing(...this.#planned(work)));
  }

  #recorded(work: () => PlannedResponse): Outgoing {
    const { call, request, parts } = this;
    const [planned, scripted] = this.#planned(work);
    call.end(planned.status);
    const outgoing = this.#outgoing(planned, scripted);
    const { headers, text, code, fault, delayMs } = outgoing;
    const elapsedMs = parts.host.monotonic() - this.#startedMs;
    call.record({
      operationId: request.operation?.operationId ?? null,
      status: hasHead(fault) ? outgoing.status : null,
      headers,
      requestText: request.text,
      responseText: text,
      code,
      // A hanging call is in the journal at once, because the delay itself is the fault.
      durationMs: elapsedMs + (fault === 'hang' ? 0 : delayMs),
      realMs: parts.host.now() - Math.round(elapsedMs),
    });
    return outgoing;
  }

  #planned(work: () => PlannedResponse): [PlannedResponse, RespondEffect?] {
    try {
      return [work()];
    } catch (error) {
      if (error instanceof ScriptedResponse) return [this.#scripted(error.effect, null), error.effect];
      const { body, ...failure } = errorResponse(error, this.parts.wire, this.parts.report);
      return [{ ...failure, text: JSON.stringify(body) }];
    }
  }

  #scripted(effect: RespondEffect, planned: PlannedResponse | null): PlannedResponse {
    return scriptedResponse(effect, planned, this.call.rule, this.request.operation, this.parts.wire);
  }

  #outgoing(planned: PlannedResponse, scripted?: RespondEffect): Outgoing {
    const { id, rule, respond: effect } = this.call;
    const { status, headers: own, text: body, code } = effect === null ? planned : this.#scripted(effect, planned);
    const fault = effect?.faultReal ?? scripted?.faultReal;
    const headers: Record<string, string> = { ...own, 'X-Sandbox': this.parts.version, 'X-Sandbox-Request': id };
    // A rule without an id is named by its file, whose path may contain characters that are not allowed in a header.
    if (rule !== null)
      headers['X-Sandbox-Rule'] = rule.replace(/[^\x20-\x7e]/gu, (text) =>
        encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd')),
      );
    // These statuses do not allow a body (RFC 9110, 15).
    const text = status === 204 || status === 304 ? undefined : body;
    if (text !== undefined) {
      headers['Content-Type'] ??= jsonType;
      if (hasHead(fault)) headers['Content-Length'] = String(Buffer.byteLength(text));
    }
    return { status, headers, text, code, fault, delayMs: effect?.latencyRealMs ?? scripted?.latencyRealMs ?? 0 };
  }

  #send(outgoing: Outgoing): void {
    const { account, parts } = this;
    const { store } = account;
    const { headers, fault, delayMs } = outgoing;
    this.#retryAfterMs = 1000 * (Number(headers['Retry-After']) || 0);
    const leave = () => {
      if (delayMs === 0 || fault === 'hang') this.#leave(outgoing);
      else parts.host.setTimer(delayMs, () => this.#leave(outgoing), { unref: true });
    };
    const kept = this.changes ? store.answerable() : store.noted();
    if (kept === null) leave();
    else
      kept.then(leave, (error: unknown) => {
        const mustBeKept = this.changes;
        this.changes = false;
        if (mustBeKept) this.fail(error);
        else leave();
      });
  }

  #leave({ status, headers, text, fault, delayMs: holdMs }: Outgoing): void {
    const { response, parts } = this;
    // The application can take its time from it.
    response.setHeader('Date', new Date(this.account.clock.now()).toUTCString());
    if (hasHead(fault)) response.writeHead(status, headers);
    if (fault === undefined) response.end(text);
    else injectFault[fault]({ response, text: text ?? '', host: parts.host, holdMs });
  }
}

const hasHead = (fault: FaultReal | undefined): boolean => fault === undefined || fault === 'truncate';
