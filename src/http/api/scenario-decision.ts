/**
 * One call and what is decided about it: asks the account's script, obeys rate limits and scripted answers, and remembers
 * who struck, for `X-Sandbox-Rule` and the journal (contract §5).
 */
import type { Explain } from '../../domain/explain.js';
import { ServiceError } from '../../domain/errors.js';
import type { MessageError } from '../../domain/message.js';
import type { Context } from '../../operations/operation.js';
import { ScriptedAnswer } from '../../operations/scripted-answer.js';
import { undecided, type Decision, type Winner } from '../../scenario/engine/effects.js';
import { parsePrefer, preferRules } from '../../scenario/reader/prefer.js';
import type { RuleSet } from '../../scenario/engine/rules.js';
import type { Facts, Hook } from '../../scenario/language/hooks.js';
import type { Exchange } from './request-context.js';

export const preferHeader = 'x-sandbox-prefer';

/** @throws ServiceError `validation_error` with everything that is wrong with the header */
export function readPrefer(header: string | string[] | undefined): RuleSet | null {
  if (header === undefined) return null;
  const result = parsePrefer(Array.isArray(header) ? header.join(';') : header);
  if ('slots' in result) return preferRules(result.slots);
  const details = result.problems.map((message) => ({ field: 'X-Sandbox-Prefer', message }));
  throw new ServiceError('validation_error', result.problems[0] ?? 'X-Sandbox-Prefer cannot be read.', { details });
}

export function decide(exchange: Exchange, hook: Hook, facts: Facts): Decision {
  const decision = exchange.account.script.decide(hook, facts, exchange.prefer);
  if (decision === undecided) return decision;
  // A limit that lets the call through shapes nothing; what refuses a recipient shapes more than what comes after it.
  const { limit: _limit, refuse, window, ...rest } = decision;
  for (const winner of [refuse, window, ...Object.values(rest)]) if (winner) note(exchange, winner.explain);
  return decision;
}

/** The first who struck is the one that is named, unless somebody takes the answer over. */
export function note(exchange: Exchange, explain: Explain): void {
  if (explain.by === 'default') return;
  exchange.rule ??= explain.id ?? null;
  if (exchange.explain === null || exchange.explain.by === 'default') exchange.explain = explain;
}

/** Whoever shapes the answer as a whole is the one that is named, whatever else was decided before. */
export function takeOver(exchange: Exchange, explain: Explain, fault: string): void {
  exchange.rule = explain.id ?? null;
  exchange.explain = explain;
  exchange.fault = fault;
}

/** In a batch a limit `per: recipient` fails the entry of that recipient; the others are nobody's business. */
export const admit =
  (exchange: Exchange): Context['admit'] =>
  (limit): MessageError | null => {
    const { allowed, retryAfterMs } = exchange.account.script.admit(limit);
    if (allowed) return null;
    note(exchange, limit.explain);
    const message = `${tooMany(limit)} The next one to this recipient is let through in ${retryAfterMs} ms.`;
    return { code: 'rate_limited', message, channel_code: null };
  };

function tooMany({ explain, effect }: Winner<'limit'>): string {
  return `Too many calls: rule ${explain.id} lets ${effect.tokens} through per ${effect.perMs} ms.`;
}

export const obey =
  (exchange: Exchange): Context['obey'] =>
  ({ limit, respond }) => {
    if (limit) {
      const { allowed, retryAfterMs } = exchange.account.script.admit(limit);
      if (!allowed) {
        takeOver(exchange, limit.explain, 'limit');
        throw new ServiceError('rate_limited', tooMany(limit), {
          headers: { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) },
        });
      }
    }
    if (!respond) return;
    takeOver(exchange, respond.explain, respond.effect.faultReal ?? 'respond');
    if (!respond.effect.accept) throw new ScriptedAnswer(respond.effect);
    exchange.respond = respond.effect;
  };
