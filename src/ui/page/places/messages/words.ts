import type { HandsetMessage, Otp } from '../../core/records.js';
import { upper } from '../../core/words.js';

export function titleOf(message: HandsetMessage): string {
  if ('otp_id' in message) return `Code to ${message.to}`;
  if (message.direction === 'inbound') return `${upper(message.type)} from ${message.profile_name ?? message.from}`;
  return `${message.template?.name ?? upper(message.type)} to ${message.to}`;
}

export function wordsOf({ text, type, interactive, media_url: url }: HandsetMessage): string {
  const question = interactive && 'body' in interactive ? interactive.body : null;
  return question ?? text ?? (url === undefined ? upper(type) : `${upper(type)}: ${fileName(url)}`);
}

export function phoneOf({ direction, from, to }: HandsetMessage): string {
  return direction === 'inbound' ? from : to;
}

export function fileName(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, host } = new URL(url);
  return pathname.replace(/\/+$/, '').split('/').at(-1) || host;
}

/** The state of a one-time code at `nowMs` of account time: no event reports that it has expired. */
export function stateAt({ state, expires_at: at }: Otp, nowMs: number | null): Otp['state'] {
  return state === 'active' && nowMs !== null && nowMs >= Date.parse(at) ? 'expired' : state;
}
