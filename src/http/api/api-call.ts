/**
 * A call of the API plane in its account: what its operation asks of rules, its response, which a rule may change, delay or
 * break, and its entry in the journal.
 */
import type { Response } from 'express';
import { transaction, type Account } from '../../account/account.js';
import type { Dialect } from '../../dialect/index.js';
import { ServiceError } from '../../domain/errors.js';
import { keptText, redactedHeaders, redactedQuery } from '../../domain/request.js';
import { traceparentForm, type Traced } from '../../domain/words.js';
import type { Explain, MessageError, RequestRecord } from '../../domain/rows.js';
import { type Context, ScriptedResponse } from '../../operations/operation.js';
import { undecided, type Decision, type RespondEffect, type Winner } from '../../rules/effects.js';
import type { Hook } from '../../language/hooks.js';
import type { Facts } from '../../language/match.js';
import type { FaultReal } from '../../language/respond.js';
import type { SystemClock } from '../../time/system-clock.js';
import { type OperationCall, queryText } from '../operation.js';
import { errorResponse, jsonType } from '../respond.js';
import { injectFault, type PlannedResponse, preferHeader, readPrefer, scriptedResponse } from './scenario-response.js';

export interface CallParts {
  readonly dialect: Dialect;
  readonly host: SystemClock;
  readonly version: string;
  /** Gets the errors of the sandbox itself. */
  readonly report: (error: unknown) => void;
}

export class ApiCall implements Context {
  readonly id: string;
  readonly trace: Traced;
  readonly warnings: string[];
  readonly path: string;
  /** The text after the question mark; empty if there is none. */
  readonly query: string;
  /** Account time: of its arrival, then of its operation. */
  nowMs: number;
  /** Whether the operation may have changed the account: the response then waits until the change is on disk. */
  changes = false;
  readonly #atMs: number;
  readonly #startedMs: number;
  #prefer: ReturnType<typeof readPrefer> | null = null;
  /** Why the response is as it is. */
  #explained: Explain | null = null;
  /** The rule, magic number or header that shaped the response. */
  #rule: string | null = null;
  #fault: string | null = null;
  /** How the response is changed although the operation runs. */
  #respond: RespondEffect | null = null;
  #entry: RequestRecord | null = null;

  constructor(
    readonly account: Account,
    private readonly request: OperationCall,
    private readonly response: Response,
    private readonly parts: CallParts,
  ) {
    this.id = account.ids.requestId();
    this.#atMs = this.nowMs = account.clock.now();
    this.#startedMs = parts.host.monotonic();
    const { traceparent } = request.headers;
    // W3C Trace Context requires an invalid header to be ignored.
    this.trace = typeof traceparent === 'string' && traceparentForm.test(traceparent) ? { traceparent } : {};
    const { notice, script } = account;
    this.warnings = notice !== undefined && script.scenario === null ? [notice] : [];
    this.path = request.path;
    this.query = queryText(request);
  }

  /**
   * Reads the header and applies the rules of `api.any`, before the call itself is validated.
   * @throws ServiceError `validation_error` with every error in the header
   */
  begin(): void {
    const header = this.request.headers[preferHeader];
    if (header !== undefined) this.#prefer = readPrefer(header);
    else if (!this.account.script.hasRulesAt('api.any')) return;
    transaction(this.account, () => this.applyDecision(this.#decideAny()));
  }

  warn(text: string): void {
    this.warnings.push(text);
  }

  decide(hook: Hook, facts: Facts): Decision {
    const decision = this.account.script.decide(hook, facts, this.#prefer);
    if (decision === undecided) return decision;
    // A limit that the call does not exceed has no effect; a rejected recipient takes precedence over the steps below.
    const { limit: _limit, refuse, window, ...rest } = decision;
    for (const winner of [refuse, window, ...Object.values(rest)]) if (winner) this.credit(winner.explain);
    return decision;
  }

  explain(explain: Explain): void {
    this.#explained ??= explain;
  }

  credit(explain: Explain): void {
    if (explain.by === 'default') return;
    this.#rule ??= explain.id ?? null;
    if (this.#explained === null || this.#explained.by === 'default') this.#explained = explain;
  }

  takeToken(limit: Winner<'limit'>): MessageError | null {
    const { allowed, retryAfterMs } = this.account.script.admit(limit);
    if (allowed) return null;
    this.credit(limit.explain);
    const message = `${tooMany(limit)} The next one to this recipient is allowed in ${retryAfterMs} ms.`;
    return { code: 'rate_limited', message, channel_code: null };
  }

  applyDecision({ limit, respond }: Pick<Decision, 'limit' | 'respond'>): void {
    if (limit) {
      const { allowed, retryAfterMs } = this.account.script.admit(limit);
      if (!allowed) {
        this.#takeOver(limit.explain, 'limit');
        throw new ServiceError('rate_limited', tooMany(limit), {
          headers: { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) },
        });
      }
    }
    if (!respond) return;
    this.#takeOver(respond.explain, respond.effect.faultReal ?? 'respond');
    if (!respond.effect.accept) throw new ScriptedResponse(respond.effect);
    this.#respond = respond.effect;
  }

  #decideAny(status?: number): Decision {
    return this.decide('api.any', { method: this.request.method, url: this.path, ...(status && { status }) });
  }

  /** Records a rule that affects the response as a whole: it is named whatever was recorded before. */
  #takeOver(explain: Explain, fault: string): void {
    this.#rule = explain.id ?? null;
    this.#explained = explain;
    this.#fault = fault;
  }

  /** Sends the response to an error, or that of a rule that replaces the operation. */
  fail(error: unknown): void {
    if (error instanceof ScriptedResponse) this.send(this.#scripted(error.effect, null), error.effect);
    else this.send(this.#failure(error, this.parts.report));
  }

  #failure(error: unknown, report: (error: unknown) => void): PlannedResponse {
    const { body, ...failure } = errorResponse(error, this.parts.dialect, report);
    return { ...failure, text: JSON.stringify(body) };
  }

  /** Sends a response, unless a rule that matches on its status, or an earlier rule, changes it. */
  send(planned: PlannedResponse, scripted?: RespondEffect): void {
    if (this.account.script.asksAfterAnswer) {
      const { respond } = transaction(this.account, () => this.#decideAny(planned.status));
      if (respond) {
        this.#takeOver(respond.explain, respond.effect.faultReal ?? 'respond');
        this.#respond = respond.effect;
      }
    }
    const effect = this.#respond;
    const sent = effect === null ? planned : this.#scripted(effect, planned);
    const delayMs = effect?.latencyRealMs ?? scripted?.latencyRealMs ?? 0;
    const fault = effect?.faultReal ?? scripted?.faultReal;
    // A hanging call is in the journal at once, because the delay itself is the fault.
    if (delayMs === 0 || fault === 'hang') this.#write(sent, fault, delayMs);
    else this.parts.host.setTimer(delayMs, () => this.#write(sent, fault), { unref: true });
  }

  #scripted(effect: RespondEffect, planned: PlannedResponse | null): PlannedResponse {
    return scriptedResponse(effect, planned, this.#rule, this.request.operation, this.parts.dialect);
  }

  /** Writes the entry together with the change of the call, and sends the response when both are on disk. */
  #write({ status, headers: own, text: body, code }: PlannedResponse, fault?: FaultReal, holdMs = 0): void {
    const { account, response, parts } = this;
    const { scheduler, store } = account;
    const headers: Record<string, string> = { ...own, 'X-Sandbox': parts.version, 'X-Sandbox-Request': this.id };
    // A rule without an id is named by its file, whose path may contain characters that are not allowed in a header.
    if (this.#rule !== null) headers['X-Sandbox-Rule'] = this.#rule.replace(/[^\x20-\x7e]/gu, encodeURIComponent);
    // These statuses do not allow a body (RFC 9110, 15).
    const text = status === 204 || status === 304 ? undefined : body;
    const hasHead = fault === undefined || fault === 'truncate';
    if (text !== undefined) {
      headers['Content-Type'] ??= jsonType;
      if (hasHead) headers['Content-Length'] = String(Buffer.byteLength(text));
    }
    this.#journal(hasHead ? status : null, headers, text, code);
    if (!hasHead || status === 429 || status >= 500) {
      // The client probably calls again, but the sandbox does not wait long for that.
      const afterMs = Number(headers['Retry-After']) * 1000;
      scheduler.touch(true, afterMs > 30_000 ? 0 : afterMs > 0 ? afterMs : 5_000);
    }
    const leave = () => {
      // Who watches the response cannot read a header that only `writeHead` gets.
      if (headers['Retry-After'] !== undefined) response.setHeader('Retry-After', headers['Retry-After']);
      if (hasHead) response.writeHead(status, headers);
      if (fault === undefined) response.end(text);
      else injectFault[fault]({ response, text: text ?? '', host: parts.host, holdMs });
    };
    const kept = this.changes ? store.answerable() : store.noted();
    if (kept === null) leave();
    else
      kept.then(leave, (error: unknown) => {
        const mustBeKept = this.changes;
        this.changes = false;
        if (mustBeKept) this.#write(this.#failure(error, () => undefined));
        else leave();
      });
  }

  /** @param status null if a fault suppressed the response */
  #journal(status: number | null, headers: Record<string, string>, text: string | undefined, code?: string): void {
    const { account, request, query } = this;
    const { store, maxJournal } = account;
    const { requests } = store.tables;
    store.update(() => {
      // An error replaces a response that could not be stored.
      if (this.#entry) requests.delete(this.#entry);
      this.#entry = requests.insert({
        id: this.id,
        seq: store.nextSeq(),
        atMs: this.#atMs,
        operation: request.operation?.operationId ?? null,
        method: request.method,
        path: this.path,
        status,
        durationMs: Math.round((this.parts.host.monotonic() - this.#startedMs) * 1000) / 1000,
        request: {
          headers: redactedHeaders(request.headers),
          ...(query !== '' && { query: redactedQuery(query) }),
          ...(request.text !== '' && keptText(request.text)),
        },
        response: { headers, ...keptText(text) },
        warnings: this.warnings,
        ...(this.#fault !== null && { fault: this.#fault }),
        ...(code !== undefined && { error: code }),
        ...(this.#explained !== null && { explain: this.#explained }),
      });
      while (requests.size > maxJournal) {
        const [oldest] = requests.oldest();
        if (!oldest) break;
        store.trim('requests', oldest);
      }
    });
  }
}

function tooMany({ explain, effect }: Winner<'limit'>): string {
  return `Too many calls: rule ${explain.id} allows ${effect.tokens} per ${effect.perMs} ms.`;
}
