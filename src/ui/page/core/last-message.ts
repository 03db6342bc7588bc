/** The latest message of a conversation, updated as messages arrive and change. */
import type { Customer, HandsetMessage } from './records.js';

/** Number of characters shown in the list of conversations; the same as in the sandbox's own lists. */
const glimpseLength = 140;

/** Returns the customer with that message as the latest. If a later one is known, returns the same object. */
export function withMessage(customer: Customer, message: HandsetMessage): Customer {
  if ((customer.last_message?.seq ?? 0) > message.seq) return customer;
  const words = message.text ?? (message.direction === 'outbound' ? message.interactive?.body : undefined) ?? null;
  const { message_id, seq, direction, type, status, created_at } = message;
  const text = words?.slice(0, glimpseLength) ?? null;
  return { ...customer, last_message: { message_id, seq, direction, type, status, created_at, text } };
}
