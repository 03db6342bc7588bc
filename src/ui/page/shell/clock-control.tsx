/** The account's clock: its time, its mode, and all its actions. */
import { useState } from 'preact/hooks';
import {
  act,
  clockWords,
  counted,
  dayWords,
  happeningsOf,
  model,
  momentWords,
  type Moved,
  type Moving,
  spanWords,
} from '../core/index.js';
import { Button, IconButton, Menu } from '../parts/index.js';
import { AdvanceForm, ClockMenu, HappeningWords } from './clock-menu.js';

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

export function ClockStrip() {
  const { moving, last } = model.value.advances;
  if (moving.value) return <Progress moving={moving.value} />;
  return last.value ? <Summary key={last.value.result.now} moved={last.value} /> : null;
}

const nouns: readonly (readonly [kind: string, one: string, many: string])[] = [
  ['attempt.created', 'attempt', 'attempts'],
  ['message.status', 'status', 'statuses'],
  ['template.status', 'template', 'templates'],
  ['message.created', 'message', 'messages'],
  ['request.created', 'request', 'requests'],
];

function Progress({ moving: { targetMs, fromMs, seen, stopping } }: { moving: Moving }) {
  const { advances, clock } = model.value;
  const nowMs = clock.now.value ?? fromMs;
  const done = advances.progress.value;
  const waiting = advances.waiting.value.length;
  const happened = nouns.flatMap(([kind, one, many]) => {
    const count = seen[kind] ?? 0;
    return count === 0 ? [] : [counted(count, one, many)];
  });
  return (
    <section class="clock-strip line scrolls ruled relative small-text moving" aria-label="Advance">
      <progress aria-label="Progress of the advance" {...(done !== null && { value: done })} />
      <p>
        <span class="strong">
          {targetMs === null ? 'Advancing to the next job' : `Advancing to ${momentWords(targetMs, fromMs)} UTC`}
        </span>
        <span>now {momentWords(nowMs, fromMs)}</span>
        {happened.length > 0 && <span>{happened.join(', ')}</span>}
        {waiting > 0 && <span>then {waiting === 1 ? 'another move' : `${waiting} more moves`}</span>}
      </p>
      <Button
        kind="small"
        aria-disabled={stopping}
        title="Stops at the current instant"
        onClick={() => void advances.stop()}
      >
        {stopping ? 'Stopping …' : 'Cancel'}
      </Button>
    </section>
  );
}

/** Number of groups that are shown before the user asks for all. */
const mostShown = 3;

function Summary({ moved: { fromMs, result } }: { moved: Moved }) {
  const [open, setOpen] = useState(false);
  const { now, ran, ran_total: total, stopped = false } = result;
  const toMs = Date.parse(now);
  const all = happeningsOf(ran);
  const shown = open ? all : all.slice(0, mostShown);
  return (
    <section
      class={`clock-strip line scrolls ruled relative${open ? ' open' : ''}`}
      aria-label="Results of the advance"
    >
      <p role="status">
        <span class="strong">
          {stopped ? 'Stopped' : 'Advanced'} {spanWords(toMs - fromMs)} to {momentWords(toMs, fromMs)} UTC
        </span>
        {total === 0 && <span>Nothing was due.</span>}
        {total > ran.length && (
          <span>
            The first {ran.length} of {total} jobs:
          </span>
        )}
      </p>
      <ul>
        {shown.map((happening) => (
          <li key={happening.key}>
            <span class="faint">{momentWords(Date.parse(happening.at), toMs)}</span> <HappeningWords of={happening} />
          </li>
        ))}
      </ul>
      {all.length > mostShown && (
        <Button kind="quiet small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : `Show all ${all.length}`}
        </Button>
      )}
      <IconButton
        icon="close"
        label="Dismiss the summary"
        kind="small"
        onClick={() => {
          model.value.advances.last.value = null;
        }}
      />
    </section>
  );
}
