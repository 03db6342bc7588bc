/** An instant of the account's time. */
import { exactWords, model, momentWords, relativeWords } from '../core/index.js';

interface Props {
  /** ISO 8601, as in the control plane. */
  readonly at: string;
  /** `relative`: "in 4 min". `time`: "09:05:07", with the date if it is on another day than the account's. */
  readonly as?: 'relative' | 'time';
}

export function Time({ at, as = 'time' }: Props) {
  const ms = Date.parse(at);
  const nowMs = (as === 'time' ? model.value.clock.day : model.value.clock.second).value ?? ms;
  return (
    <time dateTime={at} title={exactWords(ms)}>
      {as === 'time' ? <Moment words={momentWords(ms, nowMs)} /> : relativeWords(ms, nowMs)}
    </time>
  );
}

/** In a narrow list, another day has no room for the time. */
function Moment({ words }: { words: string }) {
  const [, day = '', time = words] = /^(.+) (\S+)$/.exec(words) ?? [];
  return (
    <>
      {day} <span class={day === '' ? '' : 'wide'}>{time}</span>
    </>
  );
}
