import { Fragment } from 'preact';
import { clockWords, dayWords, exactWords, here, model, relativeWords, spanWords } from '../../core/index.js';
import { Card, State } from '../../parts/index.js';
import type { Entry } from './story.js';

export function Axis({ entries, title = 'What happened' }: { entries: readonly Entry[]; title?: string }) {
  return (
    <Card title={title}>
      <ol class="axis">
        {entries.map((entry, at) => (
          <Line key={entry.key} entry={entry} before={entries[at - 1]} />
        ))}
      </ol>
    </Card>
  );
}

function Line({ entry, before }: { entry: Entry; before: Entry | undefined }) {
  const { kind, atMs, title, detail, tone = 'off', link = [], realMs, ahead } = entry;
  const nowMs = model.value.clock.second.value ?? atMs;
  const day = dayWords(atMs);
  const gapMs = before ? atMs - before.atMs : 0;
  const [place, ...path] = link;
  return (
    <Fragment>
      {before && dayWords(before.atMs) !== day && <li class="day soft">{day}</li>}
      <li class={ahead ? 'ahead' : ''}>
        <time dateTime={new Date(atMs).toISOString()} title={`${exactWords(atMs)}, ${relativeWords(atMs, nowMs)}`}>
          {clockWords(atMs, true)}
        </time>
        <span class={`lamp ${tone}`} aria-hidden="true" />
        <div class="breaks">
          <p>
            {place === undefined ? title : <a href={here(place, path)}>{title}</a>}{' '}
            {ahead && <State status={relativeWords(atMs, nowMs)} tone="wait" />}
          </p>
          {/* Of attempts there are many; their lamps say enough. */}
          {detail && <p class={tone === 'bad' && kind !== 'attempt' ? 'bad' : 'soft'}>{detail}</p>}
        </div>
        <span class="soft end">
          {realMs !== undefined ? `${Math.round(realMs)} ms` : gapMs >= 1000 ? `+${spanWords(gapMs)}` : ''}
        </span>
      </li>
    </Fragment>
  );
}
