/**
 * The log of a running sandbox: one line for each event, on stderr, so that stdout contains only the banner
 * (`--log-level`, `--log-format`).
 */
import { inspect } from 'node:util';
import type { SystemClock } from './time/system-clock.js';

/** From the most detailed to the least; a level includes all after it. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export const LOG_FORMATS = ['pretty', 'json'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Fields of the line, by name. Errors include their stack if the level is debug. */
export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(text: string, fields?: LogFields): void;
  info(text: string, fields?: LogFields): void;
  warn(text: string, fields?: LogFields): void;
  error(text: string, fields?: LogFields): void;
}

export interface LogSettings {
  /** The lowest level that is still written. */
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** Adds machine time to the lines: account clocks differ, and a log is read together with other logs. */
  readonly host: Pick<SystemClock, 'now'>;
  /** Receives one line with its line break. Default: stderr. */
  readonly write?: (line: string) => void;
  /** Whether pretty lines may have colour. Default: false. */
  readonly colour?: boolean;
}

type Written = Exclude<LogLevel, 'silent'>;

const COLOURS: Record<Written, number> = { debug: 90, info: 36, warn: 33, error: 31 };

/** Creates a log. Logging never throws, whatever the fields contain. */
export function createLog(settings: LogSettings): Log {
  const { level, format, host, colour = false } = settings;
  const write = settings.write ?? ((line: string) => void process.stderr.write(line));
  const least = LOG_LEVELS.indexOf(level);
  const line = (at: Written) => {
    if (LOG_LEVELS.indexOf(at) < least) return () => undefined;
    return (text: string, fields: LogFields = {}) => {
      const time = new Date(host.now()).toISOString();
      const stacks = level === 'debug';
      write(
        format === 'json'
          ? jsonLine(time, at, text, fields, stacks)
          : prettyLine(time, at, text, fields, colour, stacks),
      );
    };
  };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

function jsonLine(time: string, level: Written, text: string, fields: LogFields, stacks: boolean): string {
  // The line's own names come last, so that a field called "level" cannot forge one.
  return `${visible(JSON.stringify({ ...plainFields(fields, stacks), time, level, text }))}\n`;
}

function prettyLine(
  time: string,
  level: Written,
  text: string,
  fields: LogFields,
  colour: boolean,
  stacks: boolean,
): string {
  const word = level.padEnd(5);
  const label = colour ? `\u001b[${COLOURS[level]}m${word}\u001b[0m` : word;
  const facts = Object.entries(plainFields(fields, stacks)).map(([name, value]) => ` ${visible(name)}=${shown(value)}`);
  return `${time.slice(11)} ${label} ${harmless(text)}${facts.join('')}\n`;
}

function plainFields(fields: LogFields, stacks: boolean): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, plain(value, stacks)] as const],
    ),
  );
}

/**
 * Returns a value that JSON can contain. If a field cannot be serialised (a cycle, a bigint), a description replaces
 * it, so that the line is still written.
 */
function plain(value: unknown, stacks: boolean): unknown {
  if (value instanceof Error) return stacks ? (value.stack ?? value.message) : value.message;
  if (typeof value === 'function' || typeof value === 'symbol') return inspect(value);
  try {
    JSON.stringify(value);
    return value;
  } catch {
    return inspect(value, { depth: 2, breakLength: Infinity });
  }
}

function shown(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=\p{C}]+$/u.test(value)) return value;
  return visible(JSON.stringify(value));
}

/** Text from outside may contain line breaks or terminal commands, which would falsify the log. */
function harmless(text: string): string {
  return text.split('\n').map(visible).join('\n  ');
}

/**
 * Escapes characters that control a terminal, break a line or reverse the direction of writing as `\uXXXX`. JSON does
 * not escape half of them.
 */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (found) => {
    const short = JSON.stringify(found).slice(1, -1);
    return short === found ? found.replace(/[^]/g, escapedUnit) : short;
  });
}

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
