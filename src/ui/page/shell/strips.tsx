import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { counted, dismiss, jobsWords, model, momentWords, type Moved, type Moving } from '../core/index.js';
import { spanWords, toasts } from '../core/index.js';
import { Button, Icon, IconButton } from '../parts/index.js';

export function Strips() {
  const { advances, lost, stream } = model.value;
  const { state } = stream.connection.value;
  const { moving, last } = advances;
  useEffect(() => {
    // What failed because the sandbox was away is over when it is back.
    if (state !== 'live') return;
    for (const { id, text } of toasts.peek()) if (text.startsWith('The sandbox does not respond')) dismiss(id);
  }, [state]);
  return (
    <div class="row strips">
      {state === 'waiting' && (
        <Alert words="The sandbox does not respond. The page reconnects by itself.">
          <Button kind="low" onClick={() => void stream.connect()} words="Try now" />
        </Alert>
      )}
      {lost.value && (
        <Alert words="The sandbox was started again. It keeps its data in memory, so everything before that is gone. With --data DIR it would stay.">
          <IconButton kind="low" icon="close" label="Dismiss" onClick={() => (lost.value = false)} />
        </Alert>
      )}
      {moving.value ? <Progress moving={moving.value} /> : last.value && <Summary />}
    </div>
  );
}

function Alert({ words, children }: { words: string; children: ComponentChildren }) {
  return (
    <section class="row strip bad" role="status">
      <Icon name="alert" size={16} />
      <p class="grow">{words}</p>
      {children}
    </section>
  );
}

const nouns: readonly (readonly [kind: string, one: string, many?: string])[] = [
  ['attempt.created', 'attempt'],
  ['message.status', 'status', 'statuses'],
  ['template.status', 'template'],
  ['message.created', 'message'],
  ['request.created', 'request'],
];

function Progress({ moving: { targetMs, fromMs, seen, stopping, plays } }: { moving: Moving }) {
  const { advances, clock } = model.value;
  const nowMs = clock.now.value ?? fromMs;
  const progress = targetMs === null || targetMs <= fromMs ? null : (nowMs - fromMs) / (targetMs - fromMs);
  const does = plays === undefined ? 'Advancing' : `Playing ${plays}`;
  const goal = plays === undefined ? 'the next job' : 'its end';
  const happened = nouns.filter(([kind]) => seen[kind]).map(([kind, ...words]) => counted(seen[kind] ?? 0, ...words));
  return (
    <section class="row strip" aria-label={does}>
      <progress aria-label="Progress" {...(progress !== null && { value: progress })} />
      <p class="grow">
        <span class="strong">
          {does} to {targetMs === null ? goal : `${momentWords(targetMs, fromMs)} UTC`}
        </span>
        {`, now ${momentWords(nowMs, fromMs)}`}
        {happened.length > 0 && ` · ${happened.join(', ')}`}
      </p>
      <Button kind="low" aria-disabled={stopping} onClick={() => void advances.stop()}>
        {stopping ? 'Stopping …' : plays === undefined ? 'Cancel' : 'Stop'}
      </Button>
    </section>
  );
}

function Summary() {
  const { advances } = model.value;
  const { last } = advances;
  if (last.value === null) return null;
  const moved = last.value;
  return (
    <section class="row strip" aria-label={'played' in moved ? 'Result of the play' : 'Result of the advance'}>
      <p class="grow" role="status">
        {'played' in moved ? <PlayWords moved={moved} /> : <AdvanceWords moved={moved} />}
      </p>
      <IconButton kind="low" icon="close" label="Dismiss the result" onClick={() => (last.value = null)} />
    </section>
  );
}

function AdvanceWords({ moved: { fromMs, result } }: { moved: Extract<Moved, { result: unknown }> }) {
  const { now, ran, ran_total: total, stopped = false } = result;
  const toMs = Date.parse(now);
  return (
    <>
      <span class="strong">
        {stopped ? 'Stopped' : 'Advanced'} {spanWords(toMs - fromMs)} to {momentWords(toMs, fromMs)} UTC
      </span>
      {total === 0 ? ' · Nothing was due.' : ` · ${jobsWords(ran)}`}
      {total > ran.length && ` and ${total - ran.length} more`}
    </>
  );
}

function PlayWords({ moved: { plays, played } }: { moved: Extract<Moved, { played: unknown }> }) {
  const { ended, verdict, notes } = played;
  const due = ended?.still_due ?? [];
  return (
    <>
      <span class="strong">
        Played {plays} to {ended?.at ?? 'its end'}: {verdict.passed ? 'passed' : 'failed'}
      </span>
      {ended && ` · ${ended.because}`}
      {due.length > 0 && ` · still due: ${due.join(', ')}`}
      {notes.length > 0 && ` · ${notes.join(' ')}`}
    </>
  );
}
