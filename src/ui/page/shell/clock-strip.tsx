/** Below the header: the progress of a clock move; afterwards, its results. */
import { useState } from 'preact/hooks';
import { counted, happeningsOf, model, momentWords, type Moved, type Moving, spanWords } from '../core/index.js';
import { Button, IconButton } from '../parts/index.js';
import { HappeningWords } from './clock-menu.js';

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
