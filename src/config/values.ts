/** Readers for the values of flags and variables; each takes a text and throws a ValueError that names what is allowed. */
import { parseDuration } from '../time/duration.js';
import { ValueError } from './error.js';

const TRUE = ['1', 'true', 'yes', 'on'];
const FALSE = ['0', 'false', 'no', 'off'];

export function readBoolean(text: string): boolean {
  const word = text.toLowerCase();
  if (TRUE.includes(word)) return true;
  if (FALSE.includes(word)) return false;
  throw ValueError.of(text, 'is neither on nor off', '1, true, yes, on, 0, false, no or off');
}

/** A whole number of `least` to `most`, both included; `note` says what is special about one of them. */
export function readWhole(least: number, most: number, note = ''): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= most) return value;
    throw ValueError.of(text, 'does not fit', `a whole number from ${least} to ${most}${note}`);
  };
}

export function readChoice<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const found = words.find((word) => word === text.toLowerCase());
    if (found === undefined) throw ValueError.of(text, 'is not among the choices', words.join(', '));
    return found;
  };
}

/** Milliseconds of 1 ms to `mostMs`. */
export function readDuration(mostMs: number, most: string): (text: string) => number {
  return (text) => {
    const allowed = `a duration from 1ms to ${most}, such as 500ms, 10s or 1m30s`;
    let ms: number;
    try {
      ms = parseDuration(text);
    } catch {
      throw ValueError.of(text, 'is no duration', allowed);
    }
    if (ms >= 1 && ms <= mostMs) return ms;
    throw ValueError.of(text, 'does not fit', allowed);
  };
}

/** Digits become a number, anything else stays a text: `1` from a variable and 1 from code are one seed. */
export function readSeed(text: string): number | string {
  if (text === '') throw ValueError.of(text, 'is empty', 'any number or text');
  const number = Number(text);
  return /^-?(?:0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(number) ? number : text;
}

/** What may travel in a header after `Bearer `, or as the control token: visible ASCII, no spaces. */
export function readSecret(text: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(text)) return text;
  throw ValueError.of(text, 'cannot travel in a header', '1 to 200 visible ASCII characters without spaces');
}

/**
 * Reads an address or name without scheme and port; brackets around IPv6 are taken off.
 * @param example what to write, in the words of a refusal
 */
export function hostReader(example: string): (text: string) => string {
  return (text) => {
    const host = text.replace(/^\[(.*)\]$/, '$1');
    const isName = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i.test(host);
    const isIpv6 = /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*(?:%[a-z0-9]+)?$/i.test(host);
    if (isName || isIpv6) return host.toLowerCase();
    throw ValueError.of(text, 'is no host', `an address or name without scheme and port, such as ${example}`);
  };
}

export function readText(text: string): string {
  if (text === '') throw ValueError.of(text, 'is empty', 'a name or path');
  return text;
}
