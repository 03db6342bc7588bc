/** What will happen by itself, soonest first. */
import { useEffect, useState } from 'preact/hooks';
import { model } from '../core/current.js';
import type { Job } from '../core/records.js';
import { clockWords, dayWords, relativeWords } from '../core/time-words.js';

/** Jobs that are asked for, and of these the ones shown. */
const mostRead = 1000;
const mostShown = 12;

const words: Readonly<Record<string, string>> = {
  'message.status': 'The channel reports on a message',
  'template.review': 'A template is reviewed',
  'template.move': 'A template changes its state',
  'customer.writes': 'A customer writes',
  'scenario.step': 'The scenario takes a step',
  'event.append': 'A held event fires',
  'delivery.attempt': 'A delivery is attempted',
  'endpoint.pause': 'A failing endpoint is paused',
  'scenario.judge': 'The scenario is judged',
};

export function PendingJobs() {
  const { clock, api } = model.value;
  const [jobs, setJobs] = useState<readonly Job[] | null>(null);
  const pending = clock.pending.value;
  const nextDue = clock.nextDue.value;
  useEffect(() => {
    let wanted = true;
    const read = async () => {
      const page = await api.get('/_sandbox/clock/jobs', { query: { limit: mostRead } }).catch(() => null);
      if (page && wanted) setJobs(page.items.toSorted((a, b) => a.due.localeCompare(b.due)));
    };
    void read();
    return () => {
      wanted = false;
    };
  }, [api, pending, nextDue]);
  if (jobs === null) return <p class="menu-note">Looking …</p>;
  if (jobs.length === 0) return <p class="menu-note">Nothing is pending: time may pass and nothing happens.</p>;
  const nowMs = clock.second.value ?? 0;
  return (
    <>
      <h2 class="menu-title">{pending} pending</h2>
      <ol class="jobs">
        {jobs.slice(0, mostShown).map(({ seq, job, subject, due }) => (
          <li key={seq} title={`${job} ${subject}`}>
            <span>{words[job] ?? job}</span>
            <time dateTime={due} title={`${dayWords(Date.parse(due))} ${clockWords(Date.parse(due), true)}`}>
              {relativeWords(Date.parse(due), nowMs)}
            </time>
          </li>
        ))}
      </ol>
      {pending > mostShown && <p class="menu-note">and {pending - mostShown} more</p>}
    </>
  );
}
