/** A conversation, as the control plane lists it. */
import type { Customer, WindowState } from '../../domain/customer.js';
import { isoTimeOrNull } from '../../domain/instant.js';
import type { Message } from '../../domain/message.js';
import { showMessage } from './message.js';

/** Number of characters of the latest message in a list of conversations. */
const glimpseLength = 140;

/**
 * @param last the latest message of the conversation
 * @param window the effective window, which does not follow from the customer's record alone
 */
export function showCustomer(customer: Customer, last: Message | undefined, window: WindowState) {
  return {
    seq: customer.seq,
    phone: customer.id,
    profile_name: customer.profileName,
    window: { open: window.open, closes_at: isoTimeOrNull(window.closesAtMs) },
    last_inbound_at: isoTimeOrNull(customer.lastInboundAtMs),
    last_message: last ? glimpse(last) : null,
  };
}

function glimpse(message: Message) {
  const { message_id, seq, direction, type, text, interactive, status, created_at } = showMessage(message);
  const words = text ?? (interactive && 'body' in interactive ? interactive.body : null);
  return { message_id, seq, direction, type, text: words?.slice(0, glimpseLength) ?? null, status, created_at };
}
