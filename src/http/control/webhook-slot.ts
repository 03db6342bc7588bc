/**
 * Reads the `webhook` action of a rule if a caller gives it directly: with an event on demand, or with a redelivery.
 */
import { ServiceError } from '../../domain/errors.js';
import type { Explain } from '../../domain/explain.js';
import { compileWebhook } from '../../scenario/engine/compile-slots.js';
import type { WebhookEffect } from '../../scenario/engine/compile-slots.js';
import type { WebhookSlot } from '../../scenario/language/slots.js';
import { DurationError } from '../../time/duration.js';

/** The plan of the delivery that the call asked for. */
export function byCaller(slot: WebhookSlot): Explain {
  const wishes = Object.entries(slot).map(([name, value]) => `${name}: ${saidShortly(value)}`);
  const wanted = wishes.length === 0 ? 'as it is' : `with ${wishes.join(', ')}`;
  return { by: 'header', text: `The call that caused this delivery requested it ${wanted}.` };
}

/** The value as it would be in a scenario file. */
function saidShortly(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = Object.entries(value).map(([name, part]) => `${name}: ${saidShortly(part)}`);
  return `{ ${inner.join(', ')} }`;
}

/**
 * A redelivery cannot be dropped.
 * @throws ServiceError `validation_error`, also for a dropped one
 */
export function redeliveryEffect(slot: WebhookSlot): WebhookEffect {
  if (slot.drop !== true) return webhookEffect(slot);
  const message = 'A delivery cannot be requested and dropped in one call. Omit drop, or add a rule that drops it.';
  throw new ServiceError('validation_error', `webhook.drop: ${message}`, {
    details: [{ field: 'webhook.drop', message }],
  });
}

/** @throws ServiceError `validation_error` for an invalid delay */
export function webhookEffect(slot: WebhookSlot): WebhookEffect {
  try {
    // Uses the middle of a range: a single call does not have its own seed.
    return compileWebhook(slot)(() => 0.5);
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw new ServiceError('validation_error', `webhook.delay: ${error.message}`, {
      details: [{ field: 'webhook.delay', message: error.message }],
    });
  }
}
