/** What a message is called, without its text. */
import type { HandsetMessage } from '../../core/records.js';

export function titleOf(message: HandsetMessage): string {
  if ('otp_id' in message) return `Code to ${message.to}`;
  if (message.direction === 'inbound') return `${upper(message.type)} from ${message.profile_name ?? message.from}`;
  return `${message.template?.name ?? upper(message.type)} to ${message.to}`;
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
