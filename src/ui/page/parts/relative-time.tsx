/** An instant on the account's clock: when, or how far away it is. On hover, it is shown in full. */
import { exactWords, model, momentWords, relativeWords } from '../core/index.js';

interface Props {
  /** ISO 8601, as in the control plane. */
  readonly at: string;
  /** `relative`: "in 4 min". `time`: "09:05:07", with the date if it is on another day than the account's. */
  readonly as?: 'relative' | 'time';
}

export function RelativeTime({ at, as = 'relative' }: Props) {
  const ms = Date.parse(at);
  const nowMs = model.value.clock.second.value ?? ms;
  return (
    <time dateTime={at} title={as === 'time' ? `${exactWords(ms)}, ${relativeWords(ms, nowMs)}` : exactWords(ms)}>
      {as === 'time' ? momentWords(ms, nowMs) : relativeWords(ms, nowMs)}
    </time>
  );
}
