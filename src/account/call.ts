import { ServiceError } from '../domain/errors.js';
import { keptText, redactedHeaders, redactedQuery } from '../domain/request.js';
import type { Explain, MessageError, RequestRecord } from '../domain/rows.js';
import { traceparentForm, type Traced } from '../domain/words.js';
import type { Hook } from '../language/hooks.js';
import type { Facts } from '../language/match.js';
import { undecided, type Decision, type RespondEffect, type RuleSet, type Winner } from '../rules/effects.js';
import type { Account } from './account.js';

export interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface Answered {
  readonly operationId: string | null;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestText: string | undefined;
  readonly responseText: string | undefined;
  readonly code: string | undefined;
  readonly durationMs: number;
  readonly realMs: number;
}

export class ScriptedResponse extends Error {
  constructor(readonly effect: RespondEffect) {
    super(effect.message ?? effect.code ?? 'a scripted answer');
  }
}

export class AccountCall {
  readonly id: string;
  /** Stored with the records that the call creates, and with their deliveries. */
  readonly trace: Traced;
  readonly warnings: string[];
  /** Account time: of its arrival, then of its operation. */
  nowMs: number;
  preferred: RuleSet | null = null;
  rule: string | null = null;
  respond: RespondEffect | null = null;
  readonly #atMs: number;
  readonly #generation: AbortSignal;
  #explained: Explain | null = null;
  #fault: string | null = null;
  #entry: RequestRecord | null = null;

  constructor(
    readonly account: Account,
    private readonly incoming: Incoming,
  ) {
    this.id = account.ids.requestId();
    this.#atMs = this.nowMs = account.clock.now();
    this.#generation = account.generation.signal;
    const { traceparent } = incoming.headers;
    // W3C Trace Context requires an invalid header to be ignored.
    this.trace = typeof traceparent === 'string' && traceparentForm.test(traceparent) ? { traceparent } : {};
    const { notice, script } = account;
    this.warnings = notice !== undefined && script.scenario === null ? [notice] : [];
  }

  /** After the end of its generation, the call must not change anything. */
  get isOver(): boolean {
    return this.#generation.aborted;
  }

  requireCurrent(): void {
    this.#generation.throwIfAborted();
  }

  warn(text: string): void {
    this.warnings.push(text);
  }

  decide(hook: Hook, facts: Facts): Decision {
    const decision = this.account.script.decide(hook, facts, this.preferred);
    if (decision === undecided) return decision;
    // A limit that the call does not exceed has no effect; a rejected recipient takes precedence over the steps below.
    const { limit: _limit, refuse, window, ...rest } = decision;
    for (const winner of [refuse, window, ...Object.values(rest)]) if (winner) this.credit(winner.explain);
    return decision;
  }

  begin(): void {
    this.applyDecision(this.#decideAny());
  }

  end(status: number): void {
    if (!this.account.script.asksAfterAnswer) return;
    const { respond } = this.#decideAny(status);
    if (!respond) return;
    this.#takeOver(respond.explain, respond.effect.faultReal ?? 'respond');
    this.respond = respond.effect;
  }

  #decideAny(status?: number): Decision {
    const { method, path } = this.incoming;
    return this.decide('api.any', { method, url: path, ...(status && { status }) });
  }

  explain(explain: Explain): void {
    this.#explained ??= explain;
  }

  /** A default is not recorded. */
  credit(explain: Explain): void {
    if (explain.by === 'default') return;
    this.rule ??= explain.id ?? null;
    if (this.#explained === null || this.#explained.by === 'default') this.#explained = explain;
  }

  takeToken(limit: Winner<'limit'>): MessageError | null {
    const { allowed, retryAfterMs } = this.account.script.admit(limit);
    if (allowed) return null;
    this.credit(limit.explain);
    const message = `${tooMany(limit)} The next one to this recipient is allowed in ${retryAfterMs} ms.`;
    return { code: 'rate_limited', message, channel_code: null };
  }

  /** @throws ScriptedResponse if the operation must not run */
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
    this.respond = respond.effect;
  }

  /** This rule is named, whatever was recorded before. */
  #takeOver(explain: Explain, fault: string): void {
    this.rule = explain.id ?? null;
    this.#explained = explain;
    this.#fault = fault;
  }

  /** Replaces the call's earlier entry. Call it inside the write of its change. */
  record({ operationId, status, headers, requestText, responseText, code, durationMs, realMs }: Answered): void {
    const { account, incoming } = this;
    const { store, maxJournal } = account;
    const { requests } = store.tables;
    // An error replaces a response that could not be stored.
    if (this.#entry) requests.delete(this.#entry);
    this.#entry = requests.insert({
      id: this.id,
      seq: store.nextSeq(),
      atMs: this.#atMs,
      operation: operationId,
      method: incoming.method,
      path: incoming.path,
      status,
      durationMs: Math.round(durationMs * 1000) / 1000,
      realMs,
      request: {
        headers: redactedHeaders(incoming.headers),
        ...(incoming.query !== '' && { query: redactedQuery(incoming.query) }),
        ...(requestText !== undefined && requestText !== '' && keptText(requestText)),
      },
      response: { headers, ...keptText(responseText) },
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
  }
}

function tooMany({ explain, effect }: Winner<'limit'>): string {
  return `Too many calls: rule ${explain.id} allows ${effect.tokens} per ${effect.perMs} ms.`;
}
