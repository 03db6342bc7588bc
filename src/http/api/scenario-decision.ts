/** Evaluates the rules for a call, applies rate limits and scripted responses, and records the rule that applied. */
import type { Explain, MessageError } from '../../domain/rows.js';
import { ServiceError } from '../../domain/errors.js';
import { type Context, ScriptedResponse } from '../../operations/operation.js';
import { undecided, type Decision, type Winner, type RuleSet } from '../../scenario/engine/effects.js';
import { reader } from '../../scenario/run/library.js';
import type { Facts, Hook } from '../../scenario/schema/hooks.js';
import type { RequestContext } from '../call.js';

export const preferHeader = 'x-sandbox-prefer';

/** @throws ServiceError `validation_error` with every error in the header */
export function readPrefer(header: string | string[] | undefined): RuleSet | null {
  if (header === undefined) return null;
  const { parsePrefer, preferRules } = reader();
  const result = parsePrefer(Array.isArray(header) ? header.join(';') : header);
  if ('slots' in result) return preferRules(result.slots);
  const details = result.problems.map((message) => ({ field: 'X-Sandbox-Prefer', message }));
  throw new ServiceError('validation_error', result.problems[0] ?? 'X-Sandbox-Prefer cannot be read.', { details });
}

export function decide(context: RequestContext, hook: Hook, facts: Facts): Decision {
  const decision = context.account.script.decide(hook, facts, context.prefer);
  if (decision === undecided) return decision;
  // A limit that the call does not exceed has no effect; a rejected recipient takes precedence over the steps below.
  const { limit: _limit, refuse, window, ...rest } = decision;
  for (const winner of [refuse, window, ...Object.values(rest)]) if (winner) note(context, winner.explain);
  return decision;
}

/**
 * Records the rule or header that affects the response. The first one is named, unless a later one takes precedence.
 */
export function note(context: RequestContext, explain: Explain): void {
  if (explain.by === 'default') return;
  context.rule ??= explain.id ?? null;
  if (context.explain === null || context.explain.by === 'default') context.explain = explain;
}

/** Records a rule that affects the response as a whole: it is named whatever was recorded before. */
export function takeOver(context: RequestContext, explain: Explain, fault: string): void {
  context.rule = explain.id ?? null;
  context.explain = explain;
  context.fault = fault;
}

/** In a batch, a limit per recipient fails only the entry of that recipient. */
export const takeToken =
  (context: RequestContext): Context['takeToken'] =>
  (limit): MessageError | null => {
    const { allowed, retryAfterMs } = context.account.script.admit(limit);
    if (allowed) return null;
    note(context, limit.explain);
    const message = `${tooMany(limit)} The next one to this recipient is allowed in ${retryAfterMs} ms.`;
    return { code: 'rate_limited', message, channel_code: null };
  };

function tooMany({ explain, effect }: Winner<'limit'>): string {
  return `Too many calls: rule ${explain.id} allows ${effect.tokens} per ${effect.perMs} ms.`;
}

export const applyDecision =
  (context: RequestContext): Context['applyDecision'] =>
  ({ limit, respond }) => {
    if (limit) {
      const { allowed, retryAfterMs } = context.account.script.admit(limit);
      if (!allowed) {
        takeOver(context, limit.explain, 'limit');
        throw new ServiceError('rate_limited', tooMany(limit), {
          headers: { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) },
        });
      }
    }
    if (!respond) return;
    takeOver(context, respond.explain, respond.effect.faultReal ?? 'respond');
    if (!respond.effect.accept) throw new ScriptedResponse(respond.effect);
    context.respond = respond.effect;
  };
