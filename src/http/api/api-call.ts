/**
 * A call of the API plane in its account: what the operation asks of rules, and what the journal and the response say
 * about it.
 */
import { transaction, type Account } from '../../account/account.js';
import type { Explain, MessageError, RequestRecord } from '../../domain/rows.js';
import { ServiceError } from '../../domain/errors.js';
import { traced, type Traced } from '../../domain/request.js';
import { type Context, ScriptedResponse } from '../../operations/operation.js';
import type { RespondEffect } from '../../scenario/engine/effects.js';
import { undecided, type Decision, type Winner, type RuleSet } from '../../scenario/engine/effects.js';
import { reader } from '../../scenario/run/library.js';
import type { Facts, Hook } from '../../scenario/schema/hooks.js';
import { type Call, pathOf, queryText } from '../operations.js';

export const preferHeader = 'x-sandbox-prefer';

export class ApiCall implements Context {
  readonly id: string;
  readonly trace: Traced;
  readonly warnings: string[];
  readonly method: string;
  /** The path of the request's target, without the query. */
  readonly path: string;
  /** The text after the question mark; empty if there is none. */
  readonly query: string;
  /** Account time: of its arrival, then of its operation. */
  nowMs: number;
  readonly atMs: number;
  /** Why the response is as it is. */
  explained: Explain | null = null;
  /** The contents of the header `X-Sandbox-Prefer`. */
  prefer: RuleSet | null = null;
  /** The rule, magic number or header that shaped the response. */
  rule: string | null = null;
  /** The fault that was injected. */
  fault: string | null = null;
  /** How the response is changed although the operation runs. */
  respond: RespondEffect | null = null;
  error: string | null = null;
  /** Its entry in the journal, once it has one. */
  entry: RequestRecord | null = null;
  /** Whether the operation may have changed the account: the response then waits until the change is on disk. */
  changes = false;

  /**
   * @param startedMs machine time of its arrival
   * @param notice a warning about every call of the account
   */
  constructor(
    readonly account: Account,
    request: Call,
    readonly startedMs: number,
    notice: string | undefined,
  ) {
    this.id = account.ids.requestId();
    this.atMs = this.nowMs = account.clock.now();
    this.trace = traced(request.headers['traceparent'] as string | undefined);
    this.warnings = notice === undefined ? [] : [notice];
    this.method = request.method;
    this.path = pathOf(request);
    this.query = queryText(request);
  }

  /**
   * Applies the rules of `api.any` and reads the header, before the call itself is validated.
   * @throws ServiceError `validation_error` with every error in the header
   */
  begin(header: string | string[] | undefined): void {
    if (header !== undefined) this.prefer = readPrefer(header);
    if (this.prefer === null && !this.account.script.hasRulesAt('api.any')) return;
    transaction(this.account, () =>
      this.applyDecision(this.decide('api.any', { method: this.method, url: this.path })),
    );
  }

  warn(text: string): void {
    this.warnings.push(text);
  }

  decide(hook: Hook, facts: Facts): Decision {
    const decision = this.account.script.decide(hook, facts, this.prefer);
    if (decision === undecided) return decision;
    // A limit that the call does not exceed has no effect; a rejected recipient takes precedence over the steps below.
    const { limit: _limit, refuse, window, ...rest } = decision;
    for (const winner of [refuse, window, ...Object.values(rest)]) if (winner) this.credit(winner.explain);
    return decision;
  }

  explain(explain: Explain): void {
    this.explained ??= explain;
  }

  credit(explain: Explain): void {
    if (explain.by === 'default') return;
    this.rule ??= explain.id ?? null;
    if (this.explained === null || this.explained.by === 'default') this.explained = explain;
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
    this.respond = respond.effect;
  }

  /** Returns what rules that match on the status change in the response, otherwise what an earlier one does. */
  effectOn(status: number): RespondEffect | null {
    if (!this.account.script.asksAfterAnswer) return this.respond;
    const { respond } = transaction(this.account, () =>
      this.decide('api.any', { method: this.method, url: this.path, status }),
    );
    if (!respond) return this.respond;
    this.#takeOver(respond.explain, respond.effect.faultReal ?? 'respond');
    return respond.effect;
  }

  /** Records a rule that affects the response as a whole: it is named whatever was recorded before. */
  #takeOver(explain: Explain, fault: string): void {
    this.rule = explain.id ?? null;
    this.explained = explain;
    this.fault = fault;
  }
}

function readPrefer(header: string | string[]): RuleSet {
  const { parsePrefer, preferRules } = reader();
  const result = parsePrefer(Array.isArray(header) ? header.join(';') : header);
  if ('slots' in result) return preferRules(result.slots);
  const details = result.problems.map((message) => ({ field: 'X-Sandbox-Prefer', message }));
  throw new ServiceError('validation_error', result.problems[0] ?? 'X-Sandbox-Prefer cannot be read.', { details });
}

function tooMany({ explain, effect }: Winner<'limit'>): string {
  return `Too many calls: rule ${explain.id} allows ${effect.tokens} per ${effect.perMs} ms.`;
}
