/** Lines below the header: a lost connection, a restart that forgot everything, a move of the clock. */
import { useEffect } from 'preact/hooks';
import { counted, dismiss, model, momentWords, type Moving, spanWords, toasts } from '../core/index.js';
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
    <div class="strips">
      {state === 'waiting' && (
        <section class="strip bad" role="status">
          <Icon name="alert" size={16} />
          <p class="grow">The sandbox does not respond. The page reconnects by itself.</p>
          <Button kind="low" onClick={() => void stream.connect()}>
            Try now
          </Button>
        </section>
      )}
      {lost.value && (
        <section class="strip bad" role="status">
          <Icon name="alert" size={16} />
          <p class="grow">
            The sandbox was started again. It keeps its data in memory, so everything before that is gone. With --data
            DIR it would stay.
          </p>
          <IconButton kind="low" icon="close" label="Dismiss" onClick={() => (lost.value = false)} />
        </section>
      )}
      {moving.value ? <Progress moving={moving.value} /> : last.value && <Summary />}
    </div>
  );
}

const nouns: readonly (readonly [kind: string, one: string, many?: string])[] = [
  ['attempt.created', 'attempt'],
  ['message.status', 'status', 'statuses'],
  ['template.status', 'template'],
  ['message.created', 'message'],
  ['request.created', 'request'],
];

function Progress({ moving: { targetMs, fromMs, seen, stopping } }: { moving: Moving }) {
  const { advances, clock } = model.value;
  const nowMs = clock.now.value ?? fromMs;
  const progress = targetMs === null || targetMs <= fromMs ? null : (nowMs - fromMs) / (targetMs - fromMs);
  const happened = nouns.filter(([kind]) => seen[kind]).map(([kind, ...words]) => counted(seen[kind] ?? 0, ...words));
  return (
    <section class="strip" aria-label="Advance">
      <progress aria-label="Progress of the advance" {...(progress !== null && { value: progress })} />
      <p class="grow">
        <span class="strong">
          {targetMs === null ? 'Advancing to the next job' : `Advancing to ${momentWords(targetMs, fromMs)} UTC`}
        </span>
        {`, now ${momentWords(nowMs, fromMs)}`}
        {happened.length > 0 && ` · ${happened.join(', ')}`}
      </p>
      <Button kind="low" aria-disabled={stopping} onClick={() => void advances.stop()}>
        {stopping ? 'Stopping …' : 'Cancel'}
      </Button>
    </section>
  );
}

function Summary() {
  const { advances } = model.value;
  const { last } = advances;
  if (last.value === null) return null;
  const { fromMs, result } = last.value;
  const { now, ran, ran_total: total, stopped = false } = result;
  const toMs = Date.parse(now);
  const kinds = [...new Set(ran.map(({ job }) => job))];
  const words = kinds.map((kind) => `${ran.filter(({ job }) => job === kind).length} ${kind}`).join(', ');
  return (
    <section class="strip" aria-label="Result of the advance">
      <p class="grow" role="status">
        <span class="strong">
          {stopped ? 'Stopped' : 'Advanced'} {spanWords(toMs - fromMs)} to {momentWords(toMs, fromMs)} UTC
        </span>
        {total === 0 ? ' · Nothing was due.' : ` · ${counted(total, 'job')}: ${words}`}
        {total > ran.length && ` and ${total - ran.length} more`}
      </p>
      <IconButton kind="low" icon="close" label="Dismiss the result" onClick={() => (last.value = null)} />
    </section>
  );
}
