/**
 * What a `webhook` slot does to a delivery when it is made: drop, delay, hold, duplicate; and what it leaves for its
 * attempts (contract §5).
 */
import type { DeliveryFault, DeliveryPlan } from '../../../domain/delivery.js';
import type { Explain } from '../../../domain/explain.js';
import type { WebhookEffect } from '../../../scenario/engine/effects.js';

export const plainPlan: DeliveryPlan = {
  drop: false,
  delayMs: 0,
  copies: 1,
  holdUntil: null,
  fault: null,
  explain: null,
};

export function planOf(effect: WebhookEffect, explain: Explain): DeliveryPlan {
  return {
    drop: effect.drop,
    delayMs: effect.delayMs,
    copies: 1 + effect.duplicate,
    holdUntil: effect.holdUntil,
    fault: faultOf(effect, explain),
    explain,
  };
}

/** What touches a single attempt. */
function faultOf({ signature, body, simulate }: WebhookEffect, by: Explain): DeliveryFault | null {
  if (signature === 'valid' && body === 'exact' && simulate === null) return null;
  return { signature, body, simulate, by };
}
