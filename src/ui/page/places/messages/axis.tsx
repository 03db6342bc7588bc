/** What happened, on a time axis, and a few deliveries. */
import { Fragment } from 'preact';
import {
  clockWords,
  dayWords,
  type Delivery,
  exactWords,
  here,
  model,
  relativeWords,
  shortUrl,
  spanWords,
} from '../../core/index.js';
import { Card, Http, State, Time } from '../../parts/index.js';
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

interface DeliveriesProps {
  readonly of: readonly Delivery[];
  readonly title?: string;
  /** Id of the one that is open. */
  readonly current?: string;
}

/** Event, endpoint and result of each. */
export function Deliveries({ of, title = 'Deliveries', current }: DeliveriesProps) {
  if (of.length === 0) return null;
  return (
    <Card title={title}>
      <ul class="rows">
        {of.map(({ id, event_type: type, url, state, attempts, payload, next_attempt_at: next }) => {
          const last = attempts.at(-1);
          return (
            <li key={id}>
              <a href={here('webhooks', ['deliveries', id])} aria-current={id === current ? 'true' : undefined}>
                {type} {/"status":"(\w+)"/.exec(payload ?? '')?.[1]}
              </a>
              <span class="soft cut grow">{shortUrl(url)}</span>
              {next !== null && (
                <span class="soft">
                  next <Time at={next} />
                </span>
              )}
              {state === 'delivered' && last ? <Http status={last.status} /> : <State status={state} />}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
