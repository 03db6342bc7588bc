const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export function shortUrl(url: string): string {
  return url.replace(/^https:\/\//, '');
}

/** `1 call`, `2 calls`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

const jobNouns: Readonly<Record<string, string>> = {
  'message.status': 'status report',
  'customer.writes': 'customer message',
  'delivery.attempt': 'delivery attempt',
  'endpoint.pause': 'endpoint pause',
  'template.review': 'review',
  'scenario.step': 'timeline step',
  'scenario.judge': 'scenario check',
};

/** `review` of `template.review`. */
export function jobNoun(job: string): string {
  return jobNouns[job] ?? job.replace('.', ' ');
}

/** `2 status reports, 1 review`. */
export function jobsWords(jobs: readonly { readonly job: string }[]): string {
  const kinds = [...new Set(jobs.map(({ job }) => job))];
  return kinds.map((kind) => counted(jobs.filter(({ job }) => job === kind).length, jobNoun(kind))).join(', ');
}

/** With seconds, `09:05:07` instead of `09:05`. */
export function clockWords(ms: number, seconds = false): string {
  return new Date(ms).toISOString().slice(11, seconds ? 19 : 16);
}

/** `Sun 1 Mar 2026`. */
export function dayWords(ms: number): string {
  return new Date(ms).toUTCString().slice(0, 16).replace(/, 0?/, ' ');
}

/** `14:11:40`; with the date on another day than `nowMs`: `2 Mar 14:11:40`. */
export function momentWords(ms: number, nowMs: number): string {
  const time = clockWords(ms, true);
  if (Math.floor(ms / dayMs) === Math.floor(nowMs / dayMs)) return time;
  const [, day = '', month = '', year = ''] = dayWords(ms).split(' ');
  const sameYear = new Date(ms).getUTCFullYear() === new Date(nowMs).getUTCFullYear();
  return `${day} ${month} ${sameYear ? '' : `${year} `}${time}`;
}

/** An instant to the millisecond, with the time zone: `Mon 2 Mar 2026 14:11:40.300 UTC`. */
export function exactWords(ms: number): string {
  return `${dayWords(ms)} ${new Date(ms).toISOString().slice(11, 23)} UTC`;
}

/** `Today`, `Yesterday`, or the date, relative to `nowMs`. */
export function dayPill(ms: number, nowMs: number): string {
  const days = Math.floor(nowMs / dayMs) - Math.floor(ms / dayMs);
  if (days === 0) return 'Today';
  return days === 1 ? 'Yesterday' : dayWords(ms);
}

/**
 * The two largest units of a duration: `23 h 59 min`, `4 min 10 s`, `12 s`. Days are used from two days on, because a
 * window lasts 24 hours. Never negative.
 */
export function spanWords(ms: number): string {
  const left = Math.max(0, Math.floor(ms / 1000) * 1000);
  const units: [number, string][] = [
    [dayMs, 'd'],
    [hourMs, 'h'],
    [minuteMs, 'min'],
    [1000, 's'],
  ];
  const first = units.findIndex(([size]) => left >= (size === dayMs ? 2 * dayMs : size));
  if (first === -1) return '0 s';
  return units
    .slice(first, first + 2)
    .map(([size, name], at) => [Math.floor((at === 0 ? left : left % (units[first]?.[0] ?? 1)) / size), name] as const)
    .filter(([count], at) => at === 0 || count > 0)
    .map(([count, name]) => `${count} ${name}`)
    .join(' ');
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: minuteMs, h: hourMs, d: dayMs };

/** Returns the milliseconds of `23h59m`, or of an offset such as `+1h30m`; null for any other text. */
export function durationMs(text: string): number | null {
  if (!/^\+?(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return null;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)];
  return parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (unitMs[unit] ?? 0), 0);
}

/** `in 4 min 10 s`, `2 h ago`, `now`. */
export function relativeWords(ms: number, nowMs: number): string {
  const away = ms - nowMs;
  if (Math.abs(away) < 1000) return 'now';
  return away > 0 ? `in ${spanWords(away)}` : `${spanWords(-away)} ago`;
}

export function parsed(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

export function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
