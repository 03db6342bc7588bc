/** Earlier and foreign words of the language, by the part in which they stand: each is an error that says what to write. */
import { meantRate, parseRate } from './durations.js';
import type { Report } from './problems.js';
import { isRegexText } from './regex.js';

/** What to write instead: entries, `key: value`; a value for the whole mapping; or, if there is nothing, what to say. */
type Instead = readonly string[] | { readonly whole: string } | Pick<Report, 'message' | 'allowed'>;
/**
 * What stands for an entry that is no longer written so: another key, or what a function returns; undefined if the entry
 * means what it says.
 * @param isAlone whether the mapping has no other entry
 */
type Old = string | ((source: string, isAlone: boolean) => Instead | undefined);
export type OldWords = Readonly<Record<string, Old>>;

/** Nothing stands in its place. */
const gone = (message: string, allowed: string) => () => ({ message, allowed });

/** The entries to write instead of a value of this form; `$1` is a part of it. */
const form =
  (pattern: RegExp, ...entries: readonly string[]): Exclude<Old, string> =>
  (source) =>
    pattern.test(source) ? entries.map((entry) => source.replace(pattern, entry)) : undefined;

/** The first that stands for a value. */
const either =
  (...forms: readonly Exclude<Old, string>[]): Old =>
  (source, isAlone) =>
    forms.map((one) => one(source, isAlone)).find((result) => result !== undefined);

const decided = (status: string) => form(/^(?:true|yes|on)$/, `status: ${status}`);
const byCalls = gone('Which calls a rule applies to is written in numbers.', 'calls: 3, calls: 2..5 or calls: 4..');
const WHOLE = /^([1-9]\d*)$/;
const ownRule = 'pick with per: phone, or active';

/** `">= 2"` → `min: 2`. */
function boundOf(source: string): string[] | undefined {
  const [, sign = '', more, number = ''] = /^["']?\s*([<>])(=?)\s*(\d+)\s*["']?$/.exec(source) ?? [];
  if (sign === '') return undefined;
  const wanted = Number(number) + (more === '=' ? 0 : sign === '>' ? 1 : -1);
  return [`${sign === '>' ? 'min' : 'max'}: ${Math.max(0, wanted)}`];
}

/** `{ rate: 80/s, burst: 10 }` → `10/125ms` */
function limitOf(source: string): string[] | undefined {
  const [, written = ''] = /^\{.*\brate: *["']?([^"',}]+)/.exec(source) ?? [];
  const rate = parseRate(written.trim()) ? written.trim() : (meantRate(written) ?? '');
  const [, burst] = /\bburst: *(\d+)/.exec(source) ?? [];
  const parsed = parseRate(rate);
  if (parsed === undefined) return undefined;
  if (burst === undefined || Number(burst) === parsed.tokens) return [`limit: ${rate}`];
  const ms = (parsed.perMs * Number(burst)) / parsed.tokens;
  return Number.isInteger(ms) ? [`limit: ${burst}/${ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`}`] : undefined;
}

/** A text on one line, without its quotes. */
const PLAIN = /^(["']?)([^"'*{}[\],&|>]+)\1$/;

/** Conditions that a text, a glob, an expression or a list alone says. */
const inOneValue = (pattern: RegExp, valueOf: (text: string) => string): Old => {
  return (source, isAlone) => {
    const text = isAlone ? pattern.exec(source)?.at(-1) : undefined;
    if (text !== undefined) return { whole: valueOf(text) };
    const message = 'Write the text, the glob, the /regex/ or the list itself, without a key.';
    return { message, allowed: 'a text, a * glob, a /regex/ or a list of them' };
  };
};
const exactly = inOneValue(/^(?!\/|[1-5]xx$)([^*{[]+)$/, (text) => text);
const expression = inOneValue(PLAIN, (text) => (isRegexText(text) ? text : `/${text.replaceAll('/', '\\/')}/`));

/** Keys of a mapping inside, written beside it. */
function wrapped(key: string, names: string): Record<string, Old> {
  return Object.fromEntries(names.split(' ').map((name) => [name, form(/^([^]*)$/, `${key}: { ${name}: $1 }`)]));
}

export const oldWords = {
  scenario: {
    clock: either(
      form(/^\{ *mode: *["']?(real|frozen|auto)["']?(?:, *quiet_real: *[^,}]*)? *\}$/, '# Start with --clock $1.'),
      form(/^\{.*\bstart: *(["']?[\d:.TZ-]+["']?).*\}$/, 'clock: $1'),
    ),
  },
  rule: {
    ...wrapped('then', 'respond refuse limit lifecycle review otp webhook inbound window'),
    ...wrapped('pick', 'calls every chance share'),
    ...wrapped('active', 'after before'),
    until: form(/^([^]*)$/, 'active: { before: $1 }'),
  },
  match: {
    to: 'phone',
    endpoint: 'url',
    path: 'url',
    attempt: 'attempts',
    account: gone('A rule belongs to one account, so it does not match its key.', 'a scenario for each key'),
    any: gone('A match has one set of conditions.', 'a rule for each of them'),
    after: gone('A rule does not depend on another one.', ownRule),
    customer: gone('A rule does not depend on what the customer did before.', ownRule),
    batch: gone('Each entry of a batch is matched like a single send.', 'phone and the other fields'),
    variables: gone('The variables are part of the text.', 'text: "*Ada*"'),
    length: gone('The length of a code cannot be matched.', 'phone, template'),
  },
  pick: {
    nth: 'calls',
    first: either(form(/^1$/, 'calls: 1'), form(WHOLE, 'calls: 1..$1'), byCalls),
    after: either((source) => (WHOLE.test(source) ? [`calls: ${Number(source) + 1}..`] : undefined), byCalls),
    between: either(form(/^\[ *(\d+) *, *(\d+) *\]$/, 'calls: $1..$2'), byCalls),
    group: gone('There is no group: the shares of all rules with the same action add up.', 'share'),
  },
  active: { from: 'after', to: 'before', until: 'before' },
  then: { respond: form(/^\{ *refuse: *(.*?) *\}$/, 'refuse: $1'), limit: limitOf },
  conditions: {
    equals: exactly,
    is: exactly,
    matches: expression,
    regex: expression,
    pattern: expression,
    contains: inOneValue(PLAIN, (text) => `'*${text}*'`),
    any: inOneValue(/^(\[.*\])$/, (list) => list),
    missing: inOneValue(/^(true|false)$/, (text) => (text === 'true' ? '{ not: "*" }' : '"*"')),
  },
  respond: { refuse: gone('refuse is an action of its own.', 'then: { refuse: { code: undeliverable } }') },
  review: {
    approve: decided('approved'),
    reject: decided('rejected'),
    never: decided('pending'),
    reason: 'because',
    event_lag: (source) => ({
      message: 'The event of a review is delayed like any other delivery.',
      allowed: `a rule { when: webhook.deliver, match: { event: template.status }, then: { webhook: { delay: ${source} } } }`,
    }),
    later: gone(
      'What happens to a template after its review is a step of the timeline.',
      '{ at: { after: ID_OF_THIS_RULE, by: 3d }, template: { name: NAME, status: paused } }',
    ),
  },
  webhook: {
    status: form(/^([2-5]\d\d)$/, 'receiver: { simulate: $1 }'),
    receiver: form(/^\{ *simulate: *timeout, *contacted: *true *\}$/, 'receiver: { simulate: late }'),
    forged_copy: form(/^(before|after)$/, 'body: forged_$1'),
  },
  receiver: {
    contacted: gone(
      'A receiver that handles the request, but responds too late, is simulated by one word.',
      'simulate: late',
    ),
  },
  givenTemplate: {
    rejection_reason: 'because',
    buttons: gone(
      'A template with buttons is created by the application.',
      'name, category, language, body, status, because',
    ),
  },
  givenCustomer: { profile_name: 'name', last_inbound: 'window' },
  step: {
    at: (source) => {
      const [, time] = /^["']?(\d{1,2}:\d\d)["']?$/.exec(source) ?? [];
      return time === undefined ? undefined : [`at: { clock: "${time.padStart(5, '0')}" }`];
    },
    window: either(
      form(/^\{ *phone: *([^,} ]+), *open: *(?:true|yes|open) *\}$/, 'window: open', 'phone: $1'),
      form(/^\{ *phone: *([^,} ]+), *open: *(?:false|no|closed) *\}$/, 'window: closed', 'phone: $1'),
    ),
    times: 'count',
    state: 'until',
  },
  clockTime: {
    day: gone(
      'The time is the next one that the clock shows. A later day is an offset.',
      'at: { clock: "09:00" }, or an offset such as +1d9h',
    ),
  },
  inbound: {
    from: 'phone',
    to: 'phone',
    media_url: 'url',
    profile_name: 'name',
    interactive(source) {
      const [, title] = /\btitle: *("[^"]*"|'[^']*'|[^,}]*[^,} ])/.exec(source) ?? [];
      return title === undefined ? undefined : [`button: ${title}`];
    },
  },
  templateAction: { reason: 'because' },
  messageAction: { to: 'phone' },
  http: { answered: 'status' },
  expectation: {
    count: boundOf,
    within: 'by',
    duplicates: 'duplicate',
    answered: form(/^([^]*)$/, 'has: { status: $1 }'),
  },
} as const satisfies Readonly<Record<string, OldWords>>;
