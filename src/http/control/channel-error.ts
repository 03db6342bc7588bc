/** The failure a tester asks for by name or number; `undeliverable` when none is named (contract §5, failures). */
import { channelErrors, findChannelError } from '../../domain/channel-errors.js';
import { ServiceError } from '../../domain/errors.js';
import type { MessageError } from '../../domain/message.js';

export function channelErrorFor(nameOrNumber: string | number = 'undeliverable'): MessageError {
  const known = findChannelError(nameOrNumber);
  if (!known) {
    const allowed = channelErrors.map(({ code, channelCode }) => `${code} (${channelCode})`).join(', ');
    const message = `must be the name or number of a channel failure: ${allowed}; found ${JSON.stringify(nameOrNumber)}`;
    throw new ServiceError('validation_error', `error ${message}.`, { details: [{ field: 'error', message }] });
  }
  return { code: known.code, message: known.message, channel_code: known.channelCode };
}
