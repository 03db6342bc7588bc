/** Targets for the clock: a typed time, useful goals, and future jobs. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import {
  type Happening,
  happeningsOf,
  here,
  type Job,
  model,
  momentWords,
  moveOf,
  relativeWords,
  route,
  useRead,
} from '../core/index.js';
import type { AccountModel } from '../core/model.js';
import type { Route } from '../core/route.js';
import { Button, HelpLink, IconButton, MenuItem, submits, TextInput } from '../parts/index.js';

/** Number of jobs that are read, and of groups that are shown at first. */
const mostRead = 1000;
const mostShown = 12;

interface Props {
  readonly close: () => void;
  /** The buttons that do not fit in the header. */
  readonly children: ComponentChildren;
}

export function ClockMenu({ close, children }: Props) {
  const { clock, api } = model.value;
  const page = useRead(
    () => api.get('/_sandbox/clock/jobs', { query: { limit: mostRead } }).catch(() => null),
    [api, clock.pending.value, clock.nextDue.value],
  );
  const jobs = page?.items ?? null;
  return (
    <div class="clock-menu grid gap-30">
      <AdvanceForm onStart={close} />
      {children}
      {jobs === null ? (
        <p class="menu-note faint">Loading …</p>
      ) : (
        <>
          <Goals jobs={jobs} />
          <Ahead jobs={jobs} close={close} />
        </>
      )}
      <p class="menu-note faint">
        <HelpLink page="time.md">How time works</HelpLink>
      </p>
    </div>
  );
}

function Goals({ jobs }: { jobs: readonly Job[] }) {
  const account = model.value;
  const nowMs = account.clock.second.value ?? 0;
  const goals = goalsOf(account, route.value, jobs, nowMs);
  if (goals.length === 0) return null;
  return (
    <ul class="goals small-text" aria-label="Goals">
      {goals.map(({ words, atMs }) => (
        <li key={words}>
          <MenuItem icon="next" onClick={() => account.advances.start({ to: new Date(atMs).toISOString() })}>
            <span class="menu-words breaks">{words}</span>
            <When atMs={atMs} nowMs={nowMs} />
          </MenuItem>
        </li>
      ))}
    </ul>
  );
}

function When({ atMs, nowMs }: { atMs: number; nowMs: number }) {
  return (
    <time class="ahead-when grid nowrap faint tiny-text figures" dateTime={new Date(atMs).toISOString()}>
      {relativeWords(atMs, nowMs)}
      <span>{momentWords(atMs, nowMs)}</span>
    </time>
  );
}

function Ahead({ jobs, close }: { jobs: readonly Job[]; close: () => void }) {
  const { clock, advances } = model.value;
  const [most, setMost] = useState(mostShown);
  const nowMs = clock.second.value ?? 0;
  const pending = clock.pending.value;
  const all = happeningsOf(jobs);
  if (all.length === 0) return <p class="menu-note faint">Nothing is pending. Future jobs appear here.</p>;
  return (
    <>
      <h2 class="menu-title small-text">{pending} pending</h2>
      <ol class="jobs small-text">
        {all.slice(0, most).map((happening) => (
          <li key={happening.key}>
            <HappeningWords of={happening} />
            <When atMs={Date.parse(happening.at)} nowMs={nowMs} />
            <IconButton
              icon="next"
              label={`Advance to: ${happening.words}`}
              kind="small"
              title="Advance to here"
              onClick={() => {
                close();
                advances.start({ to: happening.at });
              }}
            />
          </li>
        ))}
      </ol>
      {all.length > most && (
        <Button kind="quiet small" onClick={() => setMost(all.length)}>
          Show {all.length - most} more
        </Button>
      )}
      {pending > jobs.length && (
        <p class="menu-note faint">
          The first {jobs.length} of {pending} jobs by age.
        </p>
      )}
    </>
  );
}

/** The job, as a link to its panel. */
export function HappeningWords({ of: { words, to, place } }: { of: Happening }) {
  const text = (
    <>
      {words}
      {to !== null && <span class="faint"> to {to}</span>}
    </>
  );
  if (place === null) return <span class="happening breaks">{text}</span>;
  const [panel, ...path] = place;
  return (
    <a class="happening breaks" href={here(panel, path)}>
      {text}
    </a>
  );
}

export function AdvanceForm({ onStart }: { onStart?: () => void }) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const start = () => {
    const move = moveOf(typed, model.value.clock.now.value ?? 0);
    if (typeof move === 'string') {
      setError(move);
      return;
    }
    model.value.advances.start(move);
    setTyped('');
    onStart?.();
  };
  return (
    <form class="advance-form gap-30 relative line" onSubmit={submits(start)}>
      <TextInput
        spellcheck={false}
        aria-label="Advance by or to"
        aria-describedby={id}
        aria-invalid={error !== null}
        placeholder="23h59m or 18:30"
        title="A duration such as 23h59m, a time such as 18:30, or a date such as 2026-03-02 09:00. UTC."
        value={typed}
        onText={(value) => {
          setTyped(value);
          setError(null);
        }}
      />
      <Button kind="small" type="submit" aria-disabled={typed.trim() === ''}>
        Advance
      </Button>
      <p id={id} class="advance-error high curved bad absolute raised small-text" role="alert">
        {error}
        {error?.includes('reset the account') === true && (
          <>
            {' '}
            <a href={here('account')}>Reset account</a>
          </>
        )}
      </p>
    </form>
  );
}

interface Goal {
  readonly words: string;
  readonly atMs: number;
}

/** @param nowMs account time; only later instants are goals */
function goalsOf(
  account: Pick<AccountModel, 'customers' | 'otps'>,
  route: Route,
  jobs: readonly Job[],
  nowMs: number,
): Goal[] {
  const first = (fits: (job: Job) => boolean) => Math.min(...jobs.filter(fits).map(dueMs));
  const last = (fits: (job: Job) => boolean) => Math.max(...jobs.filter(fits).map(dueMs));
  const goals: Goal[] = [
    { words: 'To the next retry', atMs: first(({ job, attempt = 1 }) => job === 'delivery.attempt' && attempt > 1) },
    { words: 'To the next step of the scenario', atMs: first(({ job }) => job === 'scenario.step') },
    { words: 'To the end of the scenario', atMs: last(({ job }) => job.startsWith('scenario.')) },
    { words: 'To the pause of an endpoint', atMs: first(({ job }) => job === 'endpoint.pause') },
    ...openOf(account, route),
  ];
  return goals.filter(({ atMs }) => Number.isFinite(atMs) && atMs > nowMs).sort((a, b) => a.atMs - b.atMs);
}

function dueMs({ due }: Job): number {
  return Date.parse(due);
}

/** The window of the open conversation, the expiry of the open code. */
function openOf({ customers, otps }: Pick<AccountModel, 'customers' | 'otps'>, { panel, path: [id] }: Route): Goal[] {
  if (panel === 'handset' && id !== undefined) {
    const closesAt = customers.get(id)?.window.closes_at;
    return typeof closesAt === 'string' ? [{ words: 'To the end of this window', atMs: Date.parse(closesAt) }] : [];
  }
  if (panel === 'codes') {
    const otp = id === undefined ? otps.rows.at(-1) : otps.get(id);
    return otp?.state === 'active' ? [{ words: 'To the expiry of this code', atMs: Date.parse(otp.expires_at) }] : [];
  }
  return [];
}
