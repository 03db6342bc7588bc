/** Durations, offsets and other times of a scenario. */
import { object, optional, required } from './mappings.js';
import { DurationError, meantDurations, parseDuration } from '../../time/duration.js';
import { type ValueOf } from './kit.js';
import { HOOKS, type Hook } from './hooks.js';
import { oldWords } from './old-words.js';
import type { Report } from './problems.js';
import { choice, text } from './values.js';
import { meantWords } from './words.js';

export interface DurationRange {
  readonly fromMs: number;
  /** Equal to `fromMs` for a plain duration; included in the draw. */
  readonly toMs: number;
}

/** Returns a number in [0, 1) that depends only on the label, so that an additional draw changes no other. */
export type Draw = (label: string) => number;

/** @throws DurationError if the text is neither a duration nor `shorter..longer` */
export function parseRange(text: string): DurationRange {
  const [from = '', to, ...more] = text.split('..');
  if (to === undefined) {
    const ms = parseDuration(from, { signed: from.startsWith('+') });
    return { fromMs: ms, toMs: ms };
  }
  const allowed = 'two durations, the shorter one first, such as 2s..8s';
  if (more.length > 0) throw new DurationError(text, 'it has more than two values', allowed);
  const range = { fromMs: parseDuration(from), toMs: parseDuration(to) };
  if (range.toMs < range.fromMs) throw new DurationError(text, 'it ends before it begins', allowed);
  return range;
}

/**
 * Returns possible meanings of `text` as a range: `8s..2s`, `2-8s`, `2 s - 8 s` → `2s..8s`. Not all of the results are
 * valid.
 */
export function meantRanges(text: string): string[] {
  const [, first = '', second = ''] = /^(.+?)(?:\.{2,3}|-)(.+)$/s.exec(text) ?? [];
  const unit = /[a-z]+\s*$/i.exec(second)?.[0] ?? '';
  const [from = '', to = ''] = [/^\s*\d+\s*$/.test(first) ? first + unit : first, second].map(
    (end) => meantDurations(end)[0],
  );
  return [`${from}..${to}`, `${to}..${from}`];
}

/** Returns a whole number of milliseconds within the range. */
export function drawFrom(range: DurationRange, draw: Draw, label: string): number {
  if (range.fromMs === range.toMs) return range.fromMs;
  return range.fromMs + Math.floor(draw(label) * (range.toMs - range.fromMs + 1));
}

/** Parses an offset from activation, with or without `+`. @throws DurationError */
export function parseOffset(text: string): number {
  return parseDuration(text, { signed: text.startsWith('+') });
}

const DURATION = String.raw`(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?(?:\d+ms)?`;
const RANGE = `^\\+?${DURATION}(?:\\.\\.${DURATION})?$`;

/** Returns what reading finds, or what to say of a text that is not a duration. */
function faultIn(read: () => Report | undefined, say: (error: DurationError) => Report): Report | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    return say(error);
  }
}

/**
 * A duration. If the text is not one, suggests what was probably meant, provided that it is valid.
 * @param limit returns what is wrong with a duration, if anything
 */
function durationText<T>(
  kind: { readonly allowed: string; readonly example: string },
  pattern: string,
  parse: (text: string) => T,
  limit: (value: T, text: string) => Report | undefined = () => undefined,
) {
  const faultOf = (value: string) =>
    faultIn(
      () => limit(parse(value), value),
      ({ reason, allowed }) => ({ code: 'bad_duration', message: `Invalid duration: ${reason}.`, allowed }),
    );
  return text({
    ...kind,
    check(value) {
      const fault = faultOf(value);
      if (fault === undefined) return undefined;
      const meant = [...meantDurations(value), ...meantRanges(value)];
      const suggestion = meant.find((candidate) => faultOf(candidate) === undefined);
      return { ...fault, ...(suggestion !== undefined && { suggestion }) };
    },
    // A duration is never a number, so an editor may reject one.
    keywords: { type: 'string', pattern },
  });
}

/** A duration of account time, or a seeded range of them. */
export const duration = durationText(
  { allowed: 'a duration such as 500ms, 90s, 2h or 1h30m, or a range such as 2s..8s', example: '2s' },
  RANGE,
  parseRange,
);

/** A duration that is not drawn from a range. */
export const plainDuration = durationText(
  { allowed: 'a duration such as 500ms, 90s, 2h or 1h30m', example: '2s' },
  `^${DURATION}$`,
  (value) => parseDuration(value),
);

/** The same, or the time that the Retry-After header of the earlier response asks for. */
export const durationOrRetryAfter = durationText(
  { allowed: 'a duration such as 500ms, 90s, 2h or 1h30m, or retry_after', example: '2s' },
  `^${DURATION}$|^retry_after$`,
  (value) => (value === 'retry_after' ? undefined : parseDuration(value)),
);

/** A duration of real time, or a range of them. */
export const realDuration = durationText(
  { allowed: 'a duration of real time such as 500ms or 2s, at most 5m, or a range such as 1s..3s', example: '2s' },
  RANGE,
  parseRange,
  ({ toMs }) =>
    toMs > 300_000
      ? { code: 'out_of_range', message: 'A connection is held for at most 5 minutes of real time.' }
      : undefined,
);

/** An offset from activation. */
export const offset = durationText(
  { allowed: 'an offset from activation such as +5m or +24h2m', example: '+5m' },
  `^\\+?${DURATION}$`,
  parseOffset,
);

export const PAST = `-?${DURATION}`;

/** Returns what is wrong with an offset into the past; undefined if nothing is. */
export function pastFault(text: string): Report | undefined {
  const read = (): Report | undefined => {
    if (parseDuration(text, { signed: true }) === 0 || text.startsWith('-')) return undefined;
    const message = 'This time is in the past, so it must begin with a minus sign.';
    return { code: 'wrong_sign', message, suggestion: `-${text}` };
  };
  return faultIn(read, ({ reason }) => {
    const [suggestion] = meantDurations(text);
    const past = suggestion === undefined ? {} : { suggestion: `-${suggestion.replace(/^[+-]/, '')}` };
    return { code: 'bad_duration', message: `This is neither open, closed nor a time: ${reason}.`, ...past };
  });
}

/** When a check is evaluated. */
export const judgementTime = text({
  allowed: 'finish, or an offset from activation such as +24h2m',
  example: 'finish',
  meant: (value) => meantWords(value, ['finish'])[0] ?? meantDurations(value)[0],
  check: (value) =>
    faultIn(
      () => {
        if (value !== 'finish') parseOffset(value);
        return undefined;
      },
      ({ reason }) => ({ code: 'bad_duration', message: `This is neither finish nor an offset: ${reason}.` }),
    ),
});

/** `message.send`, `first message.send`, or the id of a rule. */
export function awaitedOf(written: string): { readonly hook: Hook } | { readonly rule: string } {
  const name = written.replace(/^first\s+/, '');
  const hook = HOOKS.find((one) => one === name);
  return hook === undefined ? { rule: name } : { hook };
}

/** Hooks at which a step of the timeline can wait for the first call. */
const AWAITED_HOOKS = HOOKS.filter((hook) => hook !== 'api.any');

const awaited = text({
  allowed: 'first HOOK, such as first message.send, or the id of a rule',
  example: 'first message.send',
  check(value) {
    const fault = (message: string) => ({ code: 'unknown_word', message, words: AWAITED_HOOKS });
    if (value.replace(/^first\s+/, '') === 'api.any') return fault('A step cannot wait for api.any.');
    return /^first\s/.test(value) && 'rule' in awaitedOf(value) ? fault('There is no hook of this name.') : undefined;
  },
});

const afterCall = object({
  after: required(
    awaited,
    'What the step waits for: the first call at a hook, or the first time that the rule with this id applies.',
  ),
  by: optional(offset, 'Time after that event. Default: 0s.'),
});

const clockTime = object(
  {
    clock: required(
      text({
        allowed: 'a time of day in UTC such as "09:00"',
        example: '"09:00"',
        pattern: /^(?:[01]\d|2[0-3]):[0-5]\d$/,
        meant: (value) => (/^\d:[0-5]\d$/.test(value) ? `0${value}` : undefined),
      }),
      'Time on the clock of the account, in UTC: the next time that it shows it.',
    ),
  },
  { old: oldWords.clockTime },
);

/**
 * When a step of the timeline happens: an offset from activation; one from the first call at a hook or the first time that a
 * rule applies; or the next time that the account's clock shows a time.
 */
export const instant = choice<string | ValueOf<typeof afterCall> | ValueOf<typeof clockTime>>(
  [offset, afterCall, clockTime],
  'an offset from activation such as +5m or +24h2m, { after: first message.send, by: 5m }, or { clock: "09:00" }',
);
export type Instant = ValueOf<typeof instant>;
