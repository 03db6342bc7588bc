/** One line for each event on stderr: stdout contains only the banner (`--log-level`, `--log-format`). */
import { inspect } from 'node:util';
import type { SystemClock } from './time/system-clock.js';

/** The most detailed level first; a level includes all after it. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export const LOG_FORMATS = ['pretty', 'json'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Errors include their stack if the level is debug. */
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
  /** Machine time: account clocks differ, and a log is read together with other logs. */
  readonly host: Pick<SystemClock, 'now'>;
  /** Gets one line with its line break. Default: stderr. */
  readonly write?: (line: string) => void;
  /** Pretty lines can have colour. Default: false. */
  readonly colour?: boolean;
}

const COLOURS = { debug: 90, info: 36, warn: 33, error: 31 } as const;

/** Logging never throws, whatever the fields contain. */
export function createLog({ level, format, host, write, colour = false }: LogSettings): Log {
  const line = (at: keyof typeof COLOURS) => {
    return (text: string, given: LogFields = {}): void => {
      if (LOG_LEVELS.indexOf(at) < LOG_LEVELS.indexOf(level)) return;
      const time = new Date(host.now()).toISOString();
      const fields = Object.entries(given).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, plain(value, level === 'debug')] as const],
      );
      // The line's own names come last, so that a field called "level" cannot forge one.
      const json = () => visible(JSON.stringify({ ...Object.fromEntries(fields), time, level: at, text }));
      const pretty = () => {
        const label = colour ? `\u001b[${COLOURS[at]}m${at.padEnd(5)}\u001b[0m` : at.padEnd(5);
        const facts = fields.map(([name, value]) => ` ${visible(name)}=${shown(value)}`);
        return `${time.slice(11)} ${label} ${text.split('\n').map(visible).join('\n  ')}${facts.join('')}`;
      };
      const written = `${format === 'json' ? json() : pretty()}\n`;
      if (write) write(written);
      else process.stderr.write(written);
    };
  };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

/**
 * A field that cannot be serialised (a cycle, a bigint) is replaced by a description, so that the line is still
 * written.
 */
function plain(value: unknown, stacks: boolean): unknown {
  if (value instanceof Error) return stacks ? (value.stack ?? value.message) : value.message;
  try {
    return (JSON.stringify(value) as string | undefined) === undefined ? inspect(value) : value;
  } catch {
    return inspect(value, { depth: 2, breakLength: Infinity });
  }
}

function shown(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=\p{C}]+$/u.test(value)) return value;
  return visible(JSON.stringify(value));
}

/**
 * Characters that control a terminal, break a line or reverse the direction of writing would falsify the log; they
 * become `\uXXXX`. JSON does not escape half of them.
 */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (found) => {
    const short = JSON.stringify(found).slice(1, -1);
    if (short !== found) return short;
    return found.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  });
}

export function mayColour(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  return stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
