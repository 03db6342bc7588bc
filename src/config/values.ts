/**
 * Parsers for the values of flags and variables. Each takes a text and throws a ValueError that says what is expected.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Dialect, parseDialect } from '../dialect/index.js';
import { parseInstant } from '../domain/instant.js';
import type { ClockSettings } from '../time/account-clock.js';
import { parseDuration } from '../time/duration.js';

/** An invalid value. A parser does not know the name of the flag or variable; `invalidValue` adds it. */
export class ValueError extends Error {
  override readonly name = 'ValueError';
  constructor(
    readonly found: string,
    /** What is expected, as the object of "Expected". */
    readonly expected: string,
    /** Why the value is invalid, if the expectation alone does not show it. */
    readonly reason?: string,
  ) {
    super(`Invalid value "${found}"`);
  }
}

/** `Invalid value "abc" for --port. Expected a whole number from 0 to 65535.` */
export function invalidValue(source: string, { found, expected, reason }: ValueError): string {
  return `Invalid value "${found}" for ${source}${reason === undefined ? '' : `: ${reason}`}. Expected ${expected}.`;
}

const TRUE = ['1', 'true', 'yes', 'on'];
const FALSE = ['0', 'false', 'no', 'off'];

export function readBoolean(text: string): boolean {
  const word = text.toLowerCase();
  if (TRUE.includes(word)) return true;
  if (FALSE.includes(word)) return false;
  throw new ValueError(text, '1, true, yes, on, 0, false, no or off');
}

/** Reads a whole number from `least` to `most`; `note` explains a special value. */
export function readWhole(least: number, most: number, note = ''): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= most) return value;
    throw new ValueError(text, `a whole number from ${least} to ${most}${note}`);
  };
}

export function readChoice<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const found = words.find((word) => word === text.toLowerCase());
    if (found === undefined) throw new ValueError(text, `one of ${words.join(', ')}`);
    return found;
  };
}

/** Reads a duration from 1 ms to `mostMs` as milliseconds. */
export function readDuration(mostMs: number, most: string): (text: string) => number {
  return (text) => {
    const expected = `a duration from 1ms to ${most}, such as 500ms, 10s or 1m30s`;
    try {
      const ms = parseDuration(text);
      if (ms >= 1 && ms <= mostMs) return ms;
    } catch {
      // Reported like a duration that is out of range.
    }
    throw new ValueError(text, expected);
  };
}

/** Reads digits as a number and anything else as a text, so that `1` from a variable and 1 from code are the same seed. */
export function readSeed(text: string): number | string {
  if (text === '') throw new ValueError(text, 'a number or a text');
  const number = Number(text);
  return /^-?(?:0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(number) ? number : text;
}

/** Reads an API key or a control token, which are sent in headers. */
export function readSecret(text: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(text)) return text;
  throw new ValueError(text, '1 to 200 visible ASCII characters without spaces');
}

/** Reads an address or name without scheme and port, and removes brackets around IPv6. */
export function readHost(text: string): string {
  const host = text.replace(/^\[(.*)\]$/, '$1');
  const isName = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i.test(host);
  const isIpv6 = /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*(?:%[a-z0-9]+)?$/i.test(host);
  if (isName || isIpv6) return host.toLowerCase();
  throw new ValueError(text, 'an address or name without scheme and port, such as 127.0.0.1 or sandbox.example.com');
}

export function readText(text: string): string {
  if (text === '') throw new ValueError(text, 'a name or path');
  return text;
}

const CLOCKS =
  'real, frozen, frozen:2026-03-01T09:00:00Z, x60 (any factor from x0.001 to x1000000), auto or auto:150ms';
const INSTANT = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Parses `--clock real|frozen[:ISO]|x60|auto[:QUIET]`: the initial state of every new account's clock.
 * @throws ValueError
 */
export function parseClockSetting(text: string): ClockSettings {
  const usual = { scale: 1, startMs: null };
  const [mode = '', detail = ''] = text.split(/:(.*)/s);
  if (text === 'real' || text === 'auto' || text === 'frozen') return { ...usual, mode: text };
  if (text !== mode && mode === 'frozen') return { ...usual, mode, startMs: startInstant(detail, text) };
  if (text !== mode && mode === 'auto') return { ...usual, mode, quietMs: readDuration(60_000, '60s')(detail) };
  const scale = /^x(\d+(?:\.\d+)?)$/.exec(text)?.[1];
  if (scale === undefined) throw new ValueError(text, CLOCKS);
  const factor = Number(scale);
  if (factor < 0.001 || factor > 1_000_000) throw new ValueError(text, CLOCKS, 'the factor is out of range');
  return { mode: 'scaled', scale: factor, startMs: null };
}

/**
 * Milliseconds since the epoch. A bare date means midnight UTC. A time needs its offset: otherwise, its meaning would
 * depend on the machine.
 */
function startInstant(text: string, whole: string): number {
  const [, date, offset] = INSTANT.exec(text) ?? [];
  if (date === undefined) throw new ValueError(whole, CLOCKS, `"${text}" is not an ISO 8601 instant`);
  if (text.includes('T') && offset === undefined) {
    throw new ValueError(whole, CLOCKS, `the time zone is missing (write ${text}Z for UTC)`);
  }
  const ms = parseInstant(text);
  if (ms === null) throw new ValueError(whole, CLOCKS, `"${text}" does not exist in the calendar`);
  return ms;
}

/**
 * Reads the file that `--dialect FILE` names.
 * @throws ValueError if it cannot be read, DialectError with a line for each of its errors
 */
export function readDialectFile(path: string): Dialect {
  return parseDialect(textOf(path, 'the path of a YAML file such as dialect.yaml'), path);
}

/** @throws ValueError if the file cannot be read or does not start with a certificate */
export function readCertificate(path: string): string {
  return readPem(path, 'the path of a PEM file with a certificate', (text) => new X509Certificate(text));
}

/** @throws ValueError if the file cannot be read or is not a key without a passphrase */
export function readPrivateKey(path: string): string {
  return readPem(path, 'the path of a PEM file with a private key without a passphrase', createPrivateKey);
}

function readPem(path: string, expected: string, parse: (text: string) => unknown): string {
  const text = textOf(path, expected);
  try {
    parse(text);
  } catch (error) {
    throw new ValueError(path, expected, `it is not valid (${reasonOf(error)})`);
  }
  return text;
}

function textOf(path: string, expected: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ValueError(path, expected, `it cannot be read (${reasonOf(error)})`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
