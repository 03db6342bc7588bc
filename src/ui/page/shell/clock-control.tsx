/** The account's clock: what time it is, how it runs, and everything one can do to it. */
import { useState } from 'preact/hooks';
import { act } from '../core/api.js';
import { model } from '../core/current.js';
import { clockWords, dayWords } from '../core/time-words.js';
import { announce } from '../core/toasts.js';
import { Icon } from '../parts/icon.js';
import { Menu } from '../parts/menu.js';
import { PendingJobs } from './pending-jobs.js';

const jumps = [
  { by: '1m', label: '+1 min' },
  { by: '1h', label: '+1 h' },
  { by: '24h', label: '+24 h' },
] as const;

type Advance = { readonly by: string } | { readonly until: 'next' };

export function ClockControl() {
  const [busy, setBusy] = useState(false);
  const { clock, api } = model.value;
  const { now, mode, scale, pending } = clock;
  const advance = async (how: Advance) => {
    if (busy) return;
    setBusy(true);
    const result = await act(api.post('/_sandbox/clock/advance', { body: how }));
    setBusy(false);
    if (result) announce(`It is ${result.now.slice(0, 19).replace('T', ' ')}; ${result.ran_total} things happened.`);
    model.value.lookAtClock();
  };
  const set = async (body: { mode?: 'real' | 'frozen'; scale?: number }) => {
    const set = await act(api.put('/_sandbox/clock', { body }));
    if (set) clock.set(set);
  };
  const running = mode.value !== 'frozen';
  const controls = (
    <div class="clock-buttons" role="group" aria-label="Move the clock">
      {running ? (
        <button
          type="button"
          class="icon-button"
          aria-label="Freeze"
          title="Freeze"
          onClick={() => void set({ mode: 'frozen' })}
        >
          <Icon name="pause" />
        </button>
      ) : (
        <button
          type="button"
          class="icon-button"
          aria-label="Run"
          title="Run in real time"
          onClick={() => void set({ mode: 'real' })}
        >
          <Icon name="play" />
        </button>
      )}
      <button
        type="button"
        class="clock-jump"
        aria-pressed={mode.value === 'scaled' && scale.value === 60}
        title={mode.value === 'scaled' ? 'Back to real time' : 'A minute per second'}
        onClick={() => void set(mode.value === 'scaled' ? { mode: 'real' } : { scale: 60 })}
      >
        ×60
      </button>
      {jumps.map(({ by, label }) => (
        <button key={by} type="button" class="clock-jump" onClick={() => void advance({ by })}>
          {label}
        </button>
      ))}
      <button
        type="button"
        class="icon-button"
        aria-disabled={pending.value === 0}
        aria-label="To the next job"
        title={pending.value === 0 ? 'Nothing is pending' : 'To the next job'}
        onClick={() => {
          if (pending.value > 0) void advance({ until: 'next' });
        }}
      >
        <Icon name="next" />
      </button>
    </div>
  );
  return (
    <section class={`clock ${mode.value}${busy ? ' busy' : ''}`} aria-label="Clock" aria-busy={busy}>
      <Menu
        label="Clock and pending jobs"
        named
        class="clock-face"
        onOpen={() => model.value.lookAtClock()}
        button={<ClockFace now={now.value} mode={modeWords(mode.value, scale.value)} pending={pending.value} />}
      >
        {() => (
          <div class="clock-menu">
            {controls}
            <PendingJobs />
          </div>
        )}
      </Menu>
      <div class="clock-wide">{controls}</div>
    </section>
  );
}

function modeWords(mode: string, scale: number): string {
  if (mode === 'scaled') return `×${scale}`;
  return mode;
}

interface FaceProps {
  readonly now: number | null;
  readonly mode: string;
  readonly pending: number;
}

function ClockFace({ now, mode, pending }: FaceProps) {
  return (
    <>
      <span class="for-readers">Clock and pending jobs </span>
      <span class="clock-time">{now === null ? '--:--:--' : clockWords(now, true)}</span>
      <span class="clock-facts">
        <span class="clock-day">{now === null ? '' : dayWords(now)}</span>
        <span>
          <span class="clock-mode">{mode}</span>
          {pending > 0 && <span class="clock-pending">{pending} pending</span>}
        </span>
      </span>
    </>
  );
}
