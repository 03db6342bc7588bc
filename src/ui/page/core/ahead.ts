/** The future jobs on an account's clock, grouped by subject and kind. */
import type { Advanced, Job } from './records.js';

type Ran = Advanced['ran'][number];

/** A group of future or executed jobs. */
export interface Happening {
  readonly key: string;
  /** A description, such as "3 attempts to app: order_shipped". */
  readonly words: string;
  readonly to: string | null;
  readonly count: number;
  /** The instant of the earliest job. */
  readonly at: string;
  /** The panel and path that show its subject; null if there is none. */
  readonly place: readonly [panel: string, ...path: string[]] | null;
}

/** Soonest first. */
export function happeningsOf(jobs: readonly (Job | Ran)[]): Happening[] {
  const groups = new Map<string, (Job | Ran)[]>();
  for (const job of jobs) {
    const key = keyOf(job);
    const known = groups.get(key);
    if (known) known.push(job);
    else groups.set(key, [job]);
  }
  return [...groups].map(([key, all]) => happeningOf(key, all)).sort((a, b) => a.at.localeCompare(b.at));
}

/**
 * Groups the statuses of one message, the attempts of one event, and the steps of the scenario; other jobs stay
 * separate.
 */
function keyOf({ job, subject, status = '' }: Job | Ran): string {
  return job === 'template.move' ? `${job} ${subject} ${status}` : `${job} ${subject}`;
}

function atOf(job: Job | Ran): string {
  return 'due' in job ? job.due : job.at;
}

function happeningOf(key: string, all: readonly (Job | Ran)[]): Happening {
  const first = all.reduce((before, job) => (atOf(job) < atOf(before) ? job : before));
  const count = all.length;
  const { to = null } = first;
  return { key, words: wordsOf(first, all), to, count, at: atOf(first), place: placeOf(first) };
}

function wordsOf(job: Job | Ran, all: readonly (Job | Ran)[]): string {
  const about = job.about ?? job.subject;
  const statuses = [...new Set(all.flatMap(({ status }) => (status === undefined ? [] : [status])))];
  switch (job.job) {
    case 'message.status':
      return `${about}: ${statuses.join(', ')}`;
    case 'customer.writes':
      return `Customer replies to ${about}`;
    case 'template.review':
      return `Template ${about}: review, ${statuses.join(', ')}`;
    case 'template.move':
      return `Template ${about}: ${statuses.join(', ')}`;
    case 'event.append':
      return `Template ${about}: held event is sent`;
    case 'endpoint.pause':
      return `${shortUrl(about)} is paused`;
    case 'scenario.step':
      return all.length === 1 ? `Scenario ${about}: a step of the timeline` : `Scenario ${about}: ${all.length} steps`;
    case 'scenario.judge':
      return `Scenario ${about}: ${all.length === 1 ? 'an expectation is' : `${all.length} expectations are`} evaluated`;
    default:
      return attemptWords(job, all.length);
  }
}

function attemptWords(job: Job | Ran, count: number): string {
  const { about, event_type: type = 'event', status, url = '' } = job;
  const attempt = 'attempt' in job ? `Attempt ${job.attempt}` : 'Attempt';
  const what = [about, status].filter((each) => each !== undefined).join(' ');
  return `${count === 1 ? attempt : `${count} attempts`} to ${shortUrl(url)}: ${what === '' ? type : what}`;
}

function shortUrl(url: string): string {
  return url.replace(/^https:\/\//, '');
}

function placeOf({ job, subject, to, webhook_id: webhook }: Job | Ran): Happening['place'] {
  if (job === 'message.status' || job === 'customer.writes')
    return to === undefined ? null : ['story', 'message', subject];
  if (job.startsWith('template.') || job === 'event.append') return ['templates', subject];
  if (job === 'delivery.attempt') return ['webhooks', 'deliveries', subject];
  if (job === 'endpoint.pause') return webhook === undefined ? null : ['webhooks', 'endpoints', webhook];
  return job.startsWith('scenario.') ? ['scenario'] : null;
}
