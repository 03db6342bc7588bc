import { useId, useState } from 'preact/hooks';
import { act, allOf, clockWords, counted, dayWords, here, type Job, jobNoun, model } from '../core/index.js';
import { relativeWords, shortUrl, upper, useRead } from '../core/index.js';
import { Button, HelpLink, Icon, IconButton, Menu, submits, TextInput, Time } from '../parts/index.js';
import { moveOf } from './move.js';

export function ClockPill() {
  const { clock, advances } = model.value;
  const now = clock.second.value;
  const { pending = 0, mode = '', scale = 1 } = clock.state ?? {};
  return (
    <section class="clock-pill" aria-label="Clock" aria-busy={advances.moving.value !== null}>
      <Menu
        label="Clock and pending jobs"
        named
        class=""
        menu="from-end clock-menu"
        onOpen={() => model.value.lookAtClock()}
        button={
          <>
            <span class="for-readers">Clock and pending jobs </span>
            <span class="day soft">{now === null ? '' : dayWords(now).split(' ').slice(1, 3).join(' ')}</span>
            <span class="strong">
              {now === null ? '--:--' : clockWords(now)}
              <span class="seconds">{now === null ? ':--' : clockWords(now, true).slice(5)}</span>
            </span>
            <span class="mode soft">{mode === 'scaled' ? `×${scale}` : mode}</span>
            {pending > 0 && <span class="pending soft">· {pending} pending</span>}
            <Icon name="down" size={14} />
          </>
        }
      >
        {(close) => <ClockMenu close={close} />}
      </Menu>
      {[1, 24].map((hours) => (
        <button
          key={hours}
          type="button"
          title={`Advance by ${counted(hours, 'hour')}`}
          disabled={now === null}
          onClick={() => advances.start({ by: `${hours}h` })}
        >
          +{hours} h
        </button>
      ))}
    </section>
  );
}

function ClockMenu({ close }: { close: () => void }) {
  const { clock, api, advances } = model.value;
  const { pending = 0, next_due: nextDue } = clock.state ?? {};
  // The sandbox lists them in the order in which they were planned.
  const read = () => allOf((query) => api.get('/_sandbox/clock/jobs', { query }));
  const all = useRead(`jobs ${pending} ${nextDue ?? ''}`, read, ['clock']).value ?? [];
  const jobs = all.toSorted((a, b) => a.due.localeCompare(b.due));
  const move = (to: { by: string } | { to: string } | { until: 'next' }) => {
    close();
    advances.start(to);
  };
  return (
    <div class="stack">
      <AdvanceForm onStart={close} />
      <div class="row narrow-only">
        {([1, 24] as const).map((hours) => (
          <Button key={hours} kind="low" onClick={() => move({ by: `${hours}h` })}>
            +{hours} h
          </Button>
        ))}
      </div>
      <Modes />
      <div>
        <div class="row">
          <h2 class="grow small strong">{jobs.length === 0 ? 'Nothing is pending' : `${pending} pending`}</h2>
          <Button kind="low" disabled={jobs.length === 0} onClick={() => move({ until: 'next' })} words="Next job" />
        </div>
        <ul class="jobs">
          {jobs.slice(0, 12).map((job) => (
            <li key={job.seq} class="row">
              <span class="grow cut">
                <JobWords job={job} />
              </span>
              <Time at={job.due} as="relative" />
              <IconButton
                kind="low"
                icon="play"
                label={`Advance to ${job.job} ${relativeWords(Date.parse(job.due), clock.second.value ?? 0)}`}
                onClick={() => move({ to: job.due })}
              />
            </li>
          ))}
        </ul>
        {pending > 12 && <p class="hint">and {pending - 12} more</p>}
      </div>
      <p class="hint">
        All times are UTC. <HelpLink page="time.md">How time works</HelpLink>
      </p>
    </div>
  );
}

function Modes() {
  const { clock, api } = model.value;
  const { mode, scale = 1 } = clock.state ?? {};
  const set = async (next: 'real' | 'frozen' | 'auto') => {
    const changed = await act(api.put('/_sandbox/clock', { body: { mode: next } }));
    if (changed) clock.set(changed);
  };
  const modes = [
    ['frozen', 'Frozen'],
    ['real', 'Real time'],
    ['auto', 'Auto'],
  ] as const;
  return (
    <div class="row" role="group" aria-label="Mode of the clock">
      {modes.map(([id, words]) => (
        <Button key={id} kind="low" aria-pressed={mode === id} onClick={() => void set(id)} words={words} />
      ))}
      {mode === 'scaled' && <span class="hint">now ×{scale}</span>}
    </div>
  );
}

function JobWords({ job: { job, subject, about, to, status, url, attempt, webhook_id: webhook } }: { job: Job }) {
  const target = shortUrl(url ?? 'Endpoint');
  const words = {
    'message.status': `${about ?? 'Message'} ${status ?? ''} to ${to ?? ''}`,
    'customer.writes': `${to ?? 'Customer'} replies`,
    'delivery.attempt': `Attempt ${attempt ?? 1} to ${target}`,
    'endpoint.pause': `${target} will be paused`,
  }[job];
  const place: Readonly<Record<string, readonly [string, ...string[]]>> = {
    'message.status': ['messages', subject],
    'customer.writes': ['messages', subject],
    'delivery.attempt': ['webhooks', 'deliveries', subject],
    'endpoint.pause': ['webhooks', 'endpoints', webhook ?? subject],
  };
  const [panel, ...path] = place[job] ?? (job.startsWith('template.') ? ['templates', subject] : ['scenario']);
  const title = words ?? `${upper(jobNoun(job))} ${about ?? ''} ${status ?? ''}`;
  return (
    <a href={here(panel, path)} title={title}>
      {title}
    </a>
  );
}

function AdvanceForm({ onStart }: { onStart: () => void }) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const start = () => {
    const move = moveOf(typed, model.value.clock.now.value ?? 0);
    if (typeof move === 'string') setError(move);
    else {
      model.value.advances.start(move);
      onStart();
    }
  };
  return (
    <form onSubmit={submits(start)}>
      <div class="row">
        <span class="grow">
          <TextInput
            aria-label="Advance by or to"
            aria-describedby={id}
            aria-invalid={error !== null}
            placeholder="23h59m or 18:30"
            value={typed}
            onText={(value) => {
              setTyped(value);
              setError(null);
            }}
          />
        </span>
        <Button kind="primary" type="submit" words="Advance" />
      </div>
      <p id={id} class="hint bad" role="alert">
        {error}
      </p>
    </form>
  );
}
