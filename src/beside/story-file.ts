/** The file of a story, and the state that it reads of its application at the end. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { ExploreError } from '../explore/facts/error.js';
import { parseOffset } from '../language/durations.js';
import { formatFaulty } from '../language/problems.js';
import { loadScenario } from '../reader/load.js';

/** A path of the application. Fields with the names of `not` are left out wherever they occur in its JSON. */
type StatePart = string | { readonly url: string; readonly not: readonly string[] };

export interface StoryFile {
  readonly scenario: Readonly<Record<string, unknown>>;
  readonly timeline: readonly unknown[];
  /** Account milliseconds of the steps that reach the application. */
  readonly stepsMs: readonly number[];
  /** Read at the end. */
  readonly state: readonly StatePart[];
  readonly endMs: number;
}

export function readStory(file: string): StoryFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
    // A story need not say its version; at the end, the key moves no other line.
    if (!/^["{]|^version:/m.test(text)) text = `${text.trimEnd()}\nversion: 1\n`;
  } catch (error) {
    throw new ExploreError(`${file} cannot be read: ${(error as Error).message.split('\n')[0] ?? ''}`, {
      cause: error,
    });
  }
  const result = loadScenario(text, { file, resolve: () => undefined });
  if ('problems' in result)
    throw new ExploreError(`the story cannot be played.\n\n${formatFaulty(result, () => text)}`);
  const document = (parse(text, { maxAliasCount: 100 }) ?? {}) as Record<string, unknown>;
  const {
    state = [],
    timeline = [],
    ...rest
  } = document as Partial<Pick<StoryFile, 'state'>> & {
    timeline?: Record<string, unknown>[];
  };
  const entries = timeline.map((entry, i) => {
    const isStep = ['http', 'restart', 'wait', 'until'].some((name) => name in entry);
    if (typeof entry['at'] === 'string' && !('every' in entry)) return { atMs: parseOffset(entry['at']), isStep };
    if (!isStep) return { atMs: 0, isStep };
    const at = JSON.stringify(entry['at'] ?? null);
    const found = 'every' in entry ? `every: ${String(entry['every'])}` : `at: ${at}`;
    throw new ExploreError(
      `${file}: timeline[${i}] has ${found}. For a step of the application, explore needs an offset, such as at: +5m, without "every".`,
    );
  });
  return {
    scenario: { version: 1, ...rest },
    timeline,
    stepsMs: entries.flatMap(({ atMs, isStep }) => (isStep ? [atMs] : [])).sort((a, b) => a - b),
    state,
    endMs: Math.max(0, ...entries.map(({ atMs }) => atMs)),
  };
}

/** @returns values by path; null if the story reads no state */
export async function readState(
  parts: readonly StatePart[],
  read: (paths: readonly string[]) => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown> | null> {
  if (parts.length === 0) return null;
  const pathOf = (part: StatePart) => (typeof part === 'string' ? part : part.url);
  const found = await read(parts.map(pathOf));
  const kept = parts.map((part) => {
    const value = found[pathOf(part)];
    return [pathOf(part), typeof part === 'string' ? value : withoutFields(value, part.not)] as const;
  });
  return Object.fromEntries(kept);
}

function withoutFields(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutFields(one, names));
  // A value that was not read stays as it is.
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const kept = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutFields(one, names)]));
}
