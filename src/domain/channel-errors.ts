/**
 * The failures of a message on the channel. `code` is the stable snake_case name shown as `error.code`, `channelCode`
 * the channel's own number shown as `error.channel_code`, and `message` one full sentence that describes the failure.
 */
import type { MessageError } from './message.js';

export interface ChannelError {
  readonly code: string;
  readonly channelCode: number;
  readonly message: string;
}

const table = {
  undeliverable: [131026, 'The message could not be delivered because the number is not reachable on the channel.'],
  not_delivered_by_channel: [131049, 'The channel chose not to deliver the message, to keep the recipient engaged.'],
  recipient_in_experiment: [130472, 'The recipient is part of a channel experiment and receives no such messages.'],
  recipient_opted_out: [131050, 'The recipient has opted out of marketing messages from this business.'],
  media_upload_failed: [131053, 'The media file could not be uploaded to the channel.'],
  media_download_failed: [131052, 'The media file could not be downloaded from its source.'],
  window_closed: [131047, 'The session window is closed: more than 24 hours passed since the customer last wrote.'],
  spam_rate_limited: [131048, 'The message was held back because too many earlier messages were reported as spam.'],
  pair_rate_limited: [131056, 'Too many messages were sent to this recipient in a short time.'],
  throughput_limited: [130429, 'The account sent more messages per second than its throughput allows.'],
  account_locked: [131031, 'The account is locked by the channel and cannot send messages.'],
  policy_blocked: [368, 'The account is temporarily blocked for breaking a policy of the channel.'],
  country_restricted: [130497, 'The account is not allowed to send messages to the country of the recipient.'],
  payment_issue: [131042, 'The message was not sent because the payment method of the account has a problem.'],
  recipient_is_sender: [131021, 'The recipient and the sender are the same number.'],
  unsupported_message_type: [131051, 'The channel does not support this type of message.'],
  template_paused: [132015, 'The template is paused because of its low quality and cannot be sent.'],
  template_disabled: [132016, 'The template is permanently disabled, because it was paused too often for low quality.'],
  template_text_too_long: [132005, 'The text of the template is too long once its variables are filled in.'],
  template_parameter_format: [132012, 'A variable of the template has a format the template does not allow.'],
  service_unavailable: [131016, 'The channel is temporarily unavailable.'],
  account_in_maintenance: [131057, 'The account is in maintenance and cannot send messages for now.'],
  unknown_error: [131000, 'The channel failed for an unknown reason.'],
} as const satisfies Record<string, readonly [number, string]>;

/** Every failure, in the order of the interface document. */
export const channelErrors: readonly ChannelError[] = (Object.keys(table) as (keyof typeof table)[]).map(channelError);

/** Returns the failure with a name that the table certainly has. */
export function channelError(code: keyof typeof table): ChannelError {
  const [channelCode, message] = table[code];
  return { code, channelCode, message };
}

const byKey = new Map<string, ChannelError>(
  channelErrors.flatMap((error): [string, ChannelError][] => [
    [error.code, error],
    [String(error.channelCode), error],
  ]),
);

/**
 * Returns the failure with this name (`undeliverable`) or number (131026, `"131026"`); undefined if the table has none.
 * The caller writes the error message; {@link channelErrors} lists the allowed values.
 */
export function findChannelError(nameOrNumber: string | number): ChannelError | undefined {
  return byKey.get(String(nameOrNumber));
}

/** The failure as stored in a message. */
export function messageErrorOf({ code, message, channelCode }: ChannelError): MessageError {
  return { code, message, channel_code: channelCode };
}

/** The failure of a message if none was specified: a failed message always has an error. */
export const someFailure: MessageError = messageErrorOf(channelError('undeliverable'));
