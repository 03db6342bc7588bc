import type { ComponentChildren } from 'preact';
import { exactWords, model, momentWords, relativeWords } from '../core/index.js';

export type Tone = 'good' | 'bad' | 'warn' | 'wait' | 'off';

const tones: Readonly<Record<string, Tone>> = {
  failed: 'bad',
  failing: 'bad',
  rejected: 'bad',
  dropped: 'bad',
  locked: 'bad',
  retrying: 'warn',
  held: 'warn',
  paused: 'warn',
  passed: 'good',
};

export function toneOf(status: string): Tone {
  return tones[status] ?? 'off';
}

interface Props {
  readonly status: string;
  readonly tone?: Tone;
  readonly children?: ComponentChildren;
}

export function State({ status, tone = toneOf(status), children }: Props) {
  return <span class={tone === 'off' ? 'state' : `pill ${tone}`}>{children ?? status}</span>;
}

export function httpTone(status: number | null): Tone {
  return status === null || status >= 500 ? 'bad' : status >= 300 ? 'warn' : 'off';
}

export function Http({ status }: { status: number | null }) {
  return <State status={status === null ? 'no response' : String(status)} tone={httpTone(status)} />;
}

interface TimeProps {
  /** ISO 8601, as in the control plane. */
  readonly at: string;
  /** `relative`: "in 4 min". `time`: "09:05:07", with the date if it is on another day than the account's. */
  readonly as?: 'relative' | 'time';
}

export function Time({ at, as = 'time' }: TimeProps) {
  const ms = Date.parse(at);
  const nowMs = (as === 'time' ? model.value.clock.day : model.value.clock.second).value ?? ms;
  const words = as === 'time' ? momentWords(ms, nowMs) : relativeWords(ms, nowMs);
  const [, minute, seconds] = /^(\d.* \d\d:\d\d)(:\d\d)$/.exec(words) ?? [];
  return (
    <time dateTime={at} title={exactWords(ms)}>
      {minute ?? words}
      {/* In a narrow list, the time on another day has no room for the seconds. */}
      {seconds !== undefined && <span class="wide">{seconds}</span>}
    </time>
  );
}
