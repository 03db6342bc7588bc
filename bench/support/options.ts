/** What the command line of the benchmarks says. */
import { parseArgs } from 'node:util';
import { defaultSettings, type Settings } from './settings.js';

export type Task =
  | { readonly do: 'help' }
  /** The page anew from the results that are there. */
  | { readonly do: 'page' }
  | {
      readonly do: 'measure';
      readonly names: readonly string[];
      readonly settings: Settings;
      readonly record: boolean;
      readonly node: string | null;
    }
  | {
      readonly do: 'compare';
      readonly base: string;
      readonly tolerance: number;
      readonly settings: Settings;
      readonly node: string | null;
    };

/** What was asked for cannot be done as it was written; the message says what was found and what is allowed. */
export class UsageError extends Error {}

const quick: Settings = { ...defaultSettings, rounds: 2, seconds: 1, messages: 100_000 };

/**
 * @param known names of the measurements
 * @throws UsageError
 */
export function parseTask(args: readonly string[], known: readonly string[]): Task {
  const { values, positionals } = parsed(args);
  if (values.help === true || args.length === 0) return { do: 'help' };
  if (values.page === true) return { do: 'page' };
  const base = values.quick === true ? quick : defaultSettings;
  const only = values.only?.split(',').filter((name) => name !== '') ?? null;
  const settings: Settings = {
    rounds: positive('--rounds', values.rounds, base.rounds, Number.isInteger),
    seconds: positive('--seconds', values.seconds, base.seconds, Number.isFinite),
    connections: positive('--connections', values.connections, base.connections, Number.isInteger),
    messages: positive('--messages', values.messages, base.messages, Number.isInteger),
    only,
  };
  if (settings.messages % 1_000 !== 0)
    throw new UsageError(`--messages takes whole thousands, found "${values.messages ?? ''}".`);
  const node = values.node ?? null;
  if (values.compare !== undefined) {
    if (positionals.length > 0)
      throw new UsageError(`--compare measures what it needs; leave out ${positionals.join(' ')}.`);
    if (only !== null) throw new UsageError('--compare has two servers of its own; leave out --only.');
    return { do: 'compare', base: values.compare, tolerance: toleranceOf(values.tolerance ?? '10%'), settings, node };
  }
  if (values.tolerance !== undefined) throw new UsageError('--tolerance belongs to --compare BASE.');
  const unknown = positionals.filter((name) => name !== 'all' && !known.includes(name));
  if (unknown.length > 0)
    throw new UsageError(`No measurement is named ${unknown.join(', ')}; there are all, ${known.join(', ')}.`);
  if (positionals.length === 0) throw new UsageError(`Say what to measure: all, ${known.join(', ')}.`);
  const names = positionals.includes('all') ? known : known.filter((name) => positionals.includes(name));
  // A part of the servers must not take the place of all of them on the page.
  return { do: 'measure', names, settings, record: values['no-record'] !== true && only === null, node };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        page: { type: 'boolean' },
        quick: { type: 'boolean' },
        'no-record': { type: 'boolean' },
        only: { type: 'string' },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        connections: { type: 'string' },
        messages: { type: 'string' },
        node: { type: 'string' },
        compare: { type: 'string' },
        tolerance: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function positive(
  flag: string,
  text: string | undefined,
  fallback: number,
  allowed: (value: number) => boolean,
): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && allowed(value)) return value;
  throw new UsageError(
    `${flag} takes a ${allowed === Number.isInteger ? 'whole number' : 'number'} above 0, found "${text}".`,
  );
}

/** A share: `10%` is 0.1. */
function toleranceOf(text: string): number {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1];
  if (percent === undefined) throw new UsageError(`--tolerance takes a percentage such as 10%, found "${text}".`);
  return Number(percent) / 100;
}
