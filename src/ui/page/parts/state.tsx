/** States as words: a grey dot for the usual, a pill for what needs attention. And times. */
import type { ComponentChildren } from 'preact';
import { exactWords, model, momentWords, relativeWords } from '../core/index.js';

export type Tone = 'good' | 'bad' | 'warn' | 'wait' | 'off';

const tones: Readonly<Record<string, Tone>> = {
  failed: 'bad',
  rejected: 'bad',
  dropped: 'bad',
  locked: 'bad',
  retrying: 'warn',
  held: 'warn',
  paused: 'warn',
  expired: 'off',
  passed: 'good',
};

export function toneOf(status: string): Tone {
  return tones[status] ?? 'off';
}

interface Props {
  readonly status: string;
  /** Replaces the usual tone of the status. */
  readonly tone?: Tone;
  readonly children?: ComponentChildren;
}

export function State({ status, tone = toneOf(status), children }: Props) {
  return <span class={tone === 'off' ? 'state' : `pill ${tone}`}>{children ?? status}</span>;
}

export function httpTone(status: number | null): Tone {
  return status === null || status >= 500 ? 'bad' : status >= 300 ? 'warn' : 'off';
}

/** An HTTP status, or that there was none. */
export function Http({ status }: { status: number | null }) {
  return <State status={status === null ? 'no response' : String(status)} tone={httpTone(status)} />;
}

/** The status of a message, as on phones: one tick for sent, two for delivered, two in colour for read. */
const ticks: Readonly<Record<string, readonly [words: string, path: string]>> = {
  accepted: [
    'Accepted, not yet on the channel',
    'M9 2.200V6l2.600 1.600M9 6m-4.600 0a4.600 4.600 0 1 0 9.200 0a4.600 4.600 0 1 0-9.200 0',
  ],
  failed: ['Failed', 'M9 2.200v4.500M9 9.500h.01M9 6m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0'],
  sent: ['Sent', 'M4.500 6.500 7.500 9.500 14 3'],
  delivered: ['Delivered', 'M1.500 6.500 4.500 9.500 11 3M8 9l.5.5L15.500 3'],
  read: ['Read', 'M1.500 6.500 4.500 9.500 11 3M8 9l.5.5L15.500 3'],
};

export function Ticks({ status }: { status: string }) {
  const [label = status, path] = ticks[status] ?? [];
  return (
    <span class={`ticks ${status}`} role="img" aria-label={label} title={label}>
      <svg viewBox="0 0 18 12" width="18" height="12" fill="none" stroke="currentColor" stroke-width="1.7">
        <path d={path} />
      </svg>
    </span>
  );
}

interface TimeProps {
  /** ISO 8601, as in the control plane. */
  readonly at: string;
  /** `relative`: "in 4 min". `time`: "09:05:07", with the date if it is on another day than the account's. */
  readonly as?: 'relative' | 'time';
}

/** An instant of the account's time. */
export function Time({ at, as = 'time' }: TimeProps) {
  const ms = Date.parse(at);
  const nowMs = (as === 'time' ? model.value.clock.day : model.value.clock.second).value ?? ms;
  const words = as === 'time' ? momentWords(ms, nowMs) : relativeWords(ms, nowMs);
  const [, day, time] = /^(\d.* )(\d\d:\S+)$/.exec(words) ?? [];
  return (
    <time dateTime={at} title={exactWords(ms)}>
      {day ?? words}
      {/* In a narrow list, another day has no room for the time. */}
      {time !== undefined && <span class="wide">{time}</span>}
    </time>
  );
}
