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
  /** Whether a leading `+` or `-` is allowed, as in `-23h59m`. Default: false. */
  readonly signed?: boolean;
}

/**
 * An invalid duration. The message names the invalid text, the allowed forms and, if possible, the likely intention.
 */
export class DurationError extends Error {
  override readonly name = 'DurationError';
  constructor(
    /** The text as given. */
    readonly found: string,
    /** The error, as the end of a sentence. */
    readonly reason: string,
    /** The forms that are allowed. */
    readonly allowed: string,
  ) {
    super(`"${found}" is not a duration: ${reason}. Allowed: ${allowed}.`);
  }
}

/**
 * Parses a duration in flags and scenario files: whole numbers with a unit, the larger unit first, each unit once:
 * `250ms`, `10s`, `5m`, `24h`, `7d`, `1h30m`; with `signed` also `-23h59m` and `+5m`.
 * @returns milliseconds, negative only with `signed`
 * @throws DurationError
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

/**
 * Formats milliseconds for `parseDuration`, largest unit first: 5_400_000 → `1h30m`, 0 → `0s`. Fractions of a
 * millisecond are rounded.
 * @throws RangeError if `ms` is not finite
 */
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
