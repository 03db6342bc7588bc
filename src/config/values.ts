import { runId } from '../random/run-id.js';
import { readFileSync } from 'node:fs';
import { parseInstant } from '../domain/instant.js';
import type { ClockSettings } from '../time/account-clock.js';
import { parseDuration } from '../time/duration.js';

/** A parser does not have the name of the flag or variable; `readValue` adds it. */
export class ValueError extends Error {
  override readonly name = 'ValueError';
  constructor(
    readonly found: string,
    /** The object of "Expected". */
    readonly expected: string,
    /** Given if the expectation alone does not show the error. */
    readonly reason?: string,
  ) {
    super(`Invalid value "${found}"`);
  }
}

/** One line: source, value, and expected value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(
    /** The flag or variable as the user wrote it, such as `--port` or `SANDBOX_PORT`. */
    readonly source: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** @throws ConfigError such as `Invalid value "abc" for --port. Expected a whole number from 0 to 65535.` */
export function readValue<Value>(source: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    if (!(cause instanceof ValueError)) throw new ConfigError(source, `${source}: ${cause.message}`, { cause });
    const { found, expected, reason } = cause;
    const why = reason === undefined ? '' : `: ${reason}`;
    throw new ConfigError(source, `Invalid value "${found}" for ${source}${why}. Expected ${expected}.`, { cause });
  }
}

export function readBoolean(text: string): boolean {
  const word = text.toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(word)) return true;
  if (['0', 'false', 'no', 'off'].includes(word)) return false;
  throw new ValueError(text, '1, true, yes, on, 0, false, no or off');
}

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

/** The text `1` from a variable and the number 1 from code are the same seed. */
export function readSeed(text: string): number | string {
  if (text === '') throw new ValueError(text, 'a number or a text');
  if (text === 'random') return runId();
  const number = Number(text);
  return /^-?(?:0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(number) ? number : text;
}

export function readSecret(text: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(text)) return text;
  throw new ValueError(text, '1 to 200 visible ASCII characters without spaces');
}

/** No scheme, no port, and no brackets around IPv6. */
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

/** Short forms are `localhost:3000/hook`, `3000/hook`, or only the port. */
export function readServer(text: string): URL {
  const host = text.replace(/^(?=\d+(?:[/?]|$))/, 'localhost:');
  const whole = /^[\w.-]+(?::\d+)?(?:[/?]|$)/.test(host) ? `http://${host}` : host;
  if (URL.canParse(whole) && /^https?:$/.test(new URL(whole).protocol)) return new URL(whole);
  throw new ValueError(text, 'the URL of a server, such as http://localhost:3000/hook');
}

/** `expected` describes the path; `check` throws if the text is not valid. */
const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is below something that is not a folder',
  EISDIR: 'is a folder',
  EACCES: 'is not readable for you',
};

export function readFile(expected: string, check: (text: string) => unknown = () => true): (path: string) => string {
  return (path) => {
    let problem = 'cannot be read';
    try {
      const text = readFileSync(path, 'utf8');
      problem = 'is not valid';
      check(text);
      return text;
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      throw new ValueError(path, expected, `it ${unreadable[code] ?? problem} (${message})`);
    }
  };
}

const CLOCKS =
  'real, frozen, frozen:2026-03-01T09:00:00Z, x60 (any factor from x0.001 to x1000000), auto or auto:150ms';

/**
 * `real|frozen[:ISO]|x60|auto[:QUIET]`. A bare date means midnight UTC. A time needs its offset: otherwise, its meaning
 * would depend on the machine.
 */
export function readClock(text: string): ClockSettings {
  const fail = (reason?: string): never => {
    throw new ValueError(text, CLOCKS, reason);
  };
  const [, mode, detail] = /^(real|frozen|auto)(?::(.*))?$/s.exec(text) ?? [];
  if (mode === 'frozen' && detail !== undefined) {
    const [, time, offset] = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(
      detail,
    ) ?? [fail(`"${detail}" is not an ISO 8601 instant`)];
    if (time !== undefined && offset === undefined) fail(`the time zone is missing (write ${detail}Z for UTC)`);
    const startMs = parseInstant(detail) ?? fail(`"${detail}" does not exist in the calendar`);
    return { mode, scale: 1, startMs };
  }
  if (mode === 'auto' && detail !== undefined) {
    return { mode, scale: 1, startMs: null, quietMs: readDuration(60_000, '60s')(detail) };
  }
  if (mode === 'real' || mode === 'auto' || mode === 'frozen') {
    return detail === undefined ? { mode, scale: 1, startMs: null } : fail();
  }
  const scale = Number(/^x(\d+(?:\.\d+)?)$/.exec(text)?.[1] ?? fail());
  if (scale < 0.001 || scale > 1_000_000) fail('the factor is out of range');
  return { mode: 'scaled', scale, startMs: null };
}

export function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href.replace(/\/$/, '');
  throw new ValueError(text, 'an http:// or https:// URL, such as http://127.0.0.1:3000');
}
