/** Returns the failure that a call names by word or number; `undeliverable` by default. */
import { channelErrors, findChannelError, messageErrorOf, someFailure } from '../../domain/channel-errors.js';
import { invalidField } from '../../domain/errors.js';
import type { MessageError } from '../../domain/message.js';

export function channelErrorFor(nameOrNumber?: string | number): MessageError {
  if (nameOrNumber === undefined) return someFailure;
  const known = findChannelError(nameOrNumber);
  if (!known) {
    const allowed = channelErrors.map(({ code, channelCode }) => `${code} (${channelCode})`).join(', ');
    const message = `must be the name or number of a channel failure: ${allowed}; found ${JSON.stringify(nameOrNumber)}`;
    throw invalidField('error', message);
  }
  return messageErrorOf(known);
}
