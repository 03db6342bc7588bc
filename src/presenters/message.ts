/** A stored message as the API shows it. */
import { isoTime } from '../domain/instant.js';
import { lookupStatus, type Message } from '../domain/message.js';

export function presentMessage(message: Message) {
  return {
    message_id: message.id,
    wamid: message.wamid,
    status: lookupStatus(message.status),
    type: message.type,
    created_at: isoTime(message.createdAtMs),
    error: message.error,
  };
}
