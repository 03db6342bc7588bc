/** Reads the `webhook` action of a rule where a caller gives it directly: with an event on demand, or with a redelivery. */
import { ServiceError } from '../../domain/errors.js';
import type { Explain } from '../../domain/explain.js';
import { compileWebhook } from '../../scenario/engine/compile-slots.js';
import type { WebhookEffect } from '../../scenario/engine/effects.js';
import type { WebhookSlot } from '../../scenario/language/slots.js';
import { DurationError } from '../../time/duration.js';

/** What the call that asked for a delivery wanted of it. */
export function byCaller(slot: WebhookSlot): Explain {
  const wishes = Object.entries(slot).map(([name, value]) => `${name}: ${saidShortly(value)}`);
  const wanted = wishes.length === 0 ? 'as it is' : `with ${wishes.join(', ')}`;
  return { by: 'header', text: `The call that caused this delivery asked for it ${wanted}.` };
}

/** As it would stand in a scenario file. */
function saidShortly(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = Object.entries(value).map(([name, part]) => `${name}: ${saidShortly(part)}`);
  return `{ ${inner.join(', ')} }`;
}

/** A redelivery that is dropped would be none. @throws ServiceError `validation_error` for that, too */
export function redeliveryEffect(slot: WebhookSlot): WebhookEffect {
  if (slot.drop !== true) return webhookEffect(slot);
  const message =
    'A delivery cannot be asked for and dropped in one call. Leave drop out, or add a rule that drops it.';
  throw new ServiceError('validation_error', `webhook.drop: ${message}`, {
    details: [{ field: 'webhook.drop', message }],
  });
}

/** @throws ServiceError `validation_error` for an invalid delay */
export function webhookEffect(slot: WebhookSlot): WebhookEffect {
  try {
    // A range has its middle: a single call has no seed of its own to draw from.
    return compileWebhook(slot)(() => 0.5);
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw new ServiceError('validation_error', `webhook.delay: ${error.message}`, {
      details: [{ field: 'webhook.delay', message: error.message }],
    });
  }
}
