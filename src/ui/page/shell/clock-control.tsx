/** The account's clock: its time, its mode, and all its actions. */
import { act, clockWords, dayWords, model } from '../core/index.js';
import { IconButton, Menu } from '../parts/index.js';
import { AdvanceForm, ClockMenu } from './clock-menu.js';

const jumps = [
  { by: '1m', label: '+1 min' },
  { by: '1h', label: '+1 h' },
  { by: '24h', label: '+24 h' },
] as const;

export function ClockControl() {
  const { clock, advances } = model.value;
  const { mode } = clock;
  const busy = advances.moving.value !== null;
  return (
    <section class={`clock line gap-35 ${mode.value}${busy ? ' busy' : ''}`} aria-label="Clock" aria-busy={busy}>
      <Menu
        label="Clock and pending jobs"
        named
        class="clock-face boxed pointer line gap-60"
        onOpen={() => model.value.lookAtClock()}
        button={<ClockFace />}
      >
        {(close) => (
          <ClockMenu close={close}>
            <ClockButtons jumps={jumps} />
          </ClockMenu>
        )}
      </Menu>
      <div class="clock-wide line gap-35">
        <AdvanceForm />
        <ClockButtons jumps={jumps.slice(1)} />
      </div>
    </section>
  );
}

function ClockButtons({ jumps: shown }: { jumps: readonly (typeof jumps)[number][] }) {
  const { clock, api, advances } = model.value;
  const { mode, scale, pending } = clock;
  const set = async (body: { mode?: 'real' | 'frozen'; scale?: number }) => {
    const changed = await act(api.put('/_sandbox/clock', { body }));
    if (changed) clock.set(changed);
  };
  const scaled = mode.value === 'scaled';
  const still = pending.value === 0;
  return (
    <div class="clock-buttons line" role="group" aria-label="Move the clock">
      {shown.map(({ by, label }) => (
        <button
          key={by}
          type="button"
          class="clock-jump pointer curved faint nowrap small-text"
          onClick={() => advances.start({ by })}
        >
          {label}
        </button>
      ))}
      <IconButton
        icon="next"
        label="To the next job"
        title={still ? 'Nothing is pending' : 'To the next job'}
        aria-disabled={still}
        onClick={() => {
          if (!still) advances.start({ until: 'next' });
        }}
      />
      <button
        type="button"
        class="clock-jump pointer curved faint nowrap small-text"
        aria-pressed={scaled && scale.value === 60}
        title={scaled ? 'Back to real time' : 'One minute per second'}
        onClick={() => void set(scaled ? { mode: 'real' } : { scale: 60 })}
      >
        ×60
      </button>
      {mode.value === 'frozen' ? (
        <IconButton icon="play" label="Run" title="Run in real time" onClick={() => void set({ mode: 'real' })} />
      ) : (
        <IconButton icon="pause" label="Freeze" title="Freeze" onClick={() => void set({ mode: 'frozen' })} />
      )}
    </div>
  );
}

function ClockFace() {
  const { clock } = model.value;
  const now = clock.now.value;
  const mode = clock.mode.value === 'scaled' ? `×${clock.scale.value}` : clock.mode.value;
  const pending = clock.pending.value;
  return (
    <>
      <span class="for-readers">Clock and pending jobs </span>
      <span class="clock-time">{now === null ? '--:--:--' : clockWords(now, true)}</span>
      <span class="clock-facts left grid nowrap faint tiny-text">
        <span class="clock-day">{now === null ? '' : `${dayWords(now)} UTC`}</span>
        <span>
          <span class="clock-mode ink strong">{mode}</span>
          {pending > 0 && <span class="clock-pending">{pending} pending</span>}
        </span>
      </span>
    </>
  );
}
