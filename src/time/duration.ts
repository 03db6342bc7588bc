const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** A century: a longer duration is a typing error, and dates derived from it would leave the range of Date. */
const LONGEST_MS = 36_500 * 86_400_000;

const SHAPE = /^([+-]?)((?:\d+(?:ms|[dhms]))+)$/;
const PART = /(\d+)(ms|[dhms])/g;

export interface DurationOptions {
  /** A leading `+` or `-` is allowed, as in `-23h59m`. Default: false. */
  readonly signed?: boolean;
}

/** The message names the invalid text, the allowed forms and, if possible, the likely intention. */
export class DurationError extends Error {
  override readonly name = 'DurationError';
  constructor(
    readonly found: string,
    /** The end of a sentence. */
    readonly reason: string,
    readonly allowed: string,
  ) {
    super(`"${found}" is not a duration: ${reason}. Allowed: ${allowed}.`);
  }
}

/**
 * Whole numbers with a unit, the larger unit first, each once: `250ms`, `10s`, `1h30m`; with `signed` also `-23h59m`
 * and `+5m`. Returns milliseconds.
 */
export function parseDuration(text: string, options: DurationOptions = {}): number {
  const signed = options.signed ?? false;
  const fail = (reason: string): never => {
    throw new DurationError(text, reason, allowedForms(signed));
  };
  const match = SHAPE.exec(text.trim());
  if (match === null) return fail(reasonOf(text.trim()));
  const [, sign = '', parts = ''] = match;
  if (sign !== '' && !signed) return fail(`a sign ("${sign}") is not allowed here`);

  let total = 0;
  let lastUnit = -1;
  for (const [, digits = '', name = ''] of parts.matchAll(PART)) {
    const unit = UNITS.findIndex(([unitName]) => unitName === name);
    const [, unitMs] = UNITS[unit] ?? fail(`"${name}" is not a unit`);
    if (unit === lastUnit) return fail(`"${name}" occurs twice`);
    if (unit < lastUnit) return fail(`"${name}" comes after a smaller unit`);
    lastUnit = unit;
    total += Number(digits) * unitMs;
  }
  if (total > LONGEST_MS) return fail('it is longer than a hundred years (36500d)');
  return sign === '-' && total !== 0 ? -total : total;
}

/** Largest unit first: 5_400_000 → `1h30m`, 0 → `0s`. Fractions of a millisecond are rounded. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) throw new RangeError(`formatDuration: ${ms} is not a finite number of milliseconds.`);
  let rest = Math.round(Math.abs(ms));
  if (rest === 0) return '0s';
  let text = ms < 0 ? '-' : '';
  for (const [name, unitMs] of UNITS) {
    const count = Math.floor(rest / unitMs);
    rest -= count * unitMs;
    if (count > 0) text += `${count}${name}`;
  }
  return text;
}

function allowedForms(signed: boolean): string {
  const plain =
    'whole numbers with the units d, h, m, s, ms, larger unit first, such as 250ms, 10s, 5m, 24h, 7d, 1h30m';
  return signed ? `${plain}, with an optional sign such as -23h59m or +5m` : plain;
}

function reasonOf(text: string): string {
  if (text === '') return 'it is empty';
  if (/^[+-]?\d+$/.test(text)) return `the unit is missing (did you mean ${text}s or ${text}ms?)`;
  if (/\d\.\d/.test(text)) return 'fractions are not supported (write 1h30m instead of 1.5h)';
  if (/\s/.test(text)) return 'it contains a space';
  if (/^[+-]?(?:\d+[a-zµ]+)+$/i.test(text)) {
    const strange = [...text.matchAll(/\d+([a-zµ]+)/gi)].map(([, unit]) => unit ?? '').find((unit) => !isUnit(unit));
    if (strange !== undefined) return `"${strange}" is not a unit`;
  }
  return 'its form is wrong';
}

function isUnit(name: string): boolean {
  return UNITS.some(([unit]) => unit === name);
}

const SPELLINGS: readonly (readonly [pattern: RegExp, unitMs: number])[] = [
  [/^w(?:eeks?)?$/, 604_800_000],
  [/^d(?:ays?)?$/, 86_400_000],
  [/^h(?:rs?|ours?)?$/, 3_600_000],
  [/^m(?:ins?|inutes?)?$/, 60_000],
  [/^s(?:ecs?|econds?)?$/, 1_000],
  [/^m(?:s|secs?|illis|illiseconds?)$/, 1],
];

/** ISO 8601 writes P1DT2H for 1d2h. */
const ISO_LETTERS = /^p(\d+d)?t?(?=\d|$)/;
const MEANT_PART = /(\d{1,9}(?:\.\d{1,3})?)\s*([a-z]+)/g;

/**
 * The likeliest meaning first: `5` → `5s`, `5ms`; `1.5h` → `1h30m`; `2 hours` → `2h`; `PT5M` → `5m`. Each form is also
 * returned without its sign and in the past; the caller chooses.
 */
export function meantDurations(text: string): string[] {
  const [, sign = '', rest = ''] = /^\s*([+-]?)(.{1,40}?)\s*$/s.exec(text.toLowerCase()) ?? [];
  const found = /^\d{1,9}$/.test(rest) ? [`${rest}s`, `${rest}ms`] : written(rest.replace(ISO_LETTERS, '$1'));
  return [...new Set([sign, '', '-'])].flatMap((given) => found.map((duration) => given + duration));
}

function written(text: string): string[] {
  const parts = [...text.matchAll(MEANT_PART)];
  const isAll = text.replace(MEANT_PART, '').replace(/[\s,]/g, '') === '';
  let totalMs = 0;
  for (const [, count = '', name = ''] of parts) {
    const unit = SPELLINGS.find(([pattern]) => pattern.test(name));
    if (unit === undefined) return [];
    totalMs += Number(count) * unit[1];
  }
  return isAll && parts.length > 0 ? [formatDuration(totalMs)] : [];
}
