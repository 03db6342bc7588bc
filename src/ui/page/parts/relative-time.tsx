/** An instant of the account's clock: the time of day, or how far away it is; the whole of it on hover. */
import { model } from '../core/current.js';
import { clockWords, relativeWords } from '../core/time-words.js';

interface Props {
  /** ISO 8601, as the control plane says it. */
  readonly at: string;
  /** `relative`: "in 4 min"; `time`: "09:05:07". */
  readonly as?: 'relative' | 'time';
}

export function RelativeTime({ at, as = 'relative' }: Props) {
  const ms = Date.parse(at);
  // The clock is read for "in 4 min" alone: a time of day does not change.
  const words = as === 'time' ? clockWords(ms, true) : relativeWords(ms, model.value.clock.second.value ?? ms);
  return (
    <time dateTime={at} title={at}>
      {words}
    </time>
  );
}
