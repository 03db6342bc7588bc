/** Parses a story file: a scenario with timeline steps that call the application as its users do. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { parseOffset } from '../scenario/language/texts.js';
import { StoryError } from './story.js';

export interface HttpStep {
  readonly atMs: number;
  readonly method: string;
  /** A path of the application, or a complete URL. `${name}` is replaced by a value that an earlier step saved. */
  readonly url: string;
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** Names for values in the JSON response, by dotted path. */
  readonly save: Readonly<Record<string, string>>;
}

export interface StoryFile {
  /** The scenario without the calls to the application. */
  readonly scenario: Readonly<Record<string, unknown>>;
  readonly steps: readonly HttpStep[];
  /** Paths of the application that return its state at the end. */
  readonly state: readonly string[];
  /** Account time of the last timeline entry. */
  readonly endMs: number;
}

const example = '{ at: +1m, http: { method: POST, url: /orders, body: { number: 42 } } }';
const keys = ['method', 'url', 'body', 'headers', 'save'];

/** @throws CliFailure (2) with the invalid value and what is allowed */
export function readStory(file: string): StoryFile {
  const fail = (text: string): never => {
    throw new StoryError(`${file}: ${text}`);
  };
  let document: Record<string, unknown>;
  try {
    document = (parse(readFileSync(file, 'utf8'), { maxAliasCount: 100 }) ?? {}) as Record<string, unknown>;
  } catch (error) {
    return fail(`it cannot be read: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`);
  }
  const { state = [], timeline = [], ...rest } = document;
  if (!Array.isArray(timeline)) return fail(`the key "timeline" must be a list of steps, such as ${example}`);
  if (!Array.isArray(state) || state.some((path) => typeof path !== 'string')) {
    return fail('the key "state" must be a list of paths, such as [/orders/42]');
  }
  const entries = timeline.map((entry: unknown, i) => {
    const { at, http } = (entry ?? {}) as { at?: unknown; http?: unknown };
    let atMs: number;
    try {
      atMs = parseOffset(String(at));
    } catch {
      return fail(`timeline[${i}].at: found ${JSON.stringify(at)}. Expected an offset from the start, such as +5m.`);
    }
    return { atMs, http, entry };
  });
  const steps = entries.flatMap(({ atMs, http }, i) => (http === undefined ? [] : [httpStep(http, atMs, i, fail)]));
  return {
    scenario: {
      version: 1,
      ...rest,
      timeline: entries.flatMap(({ http, entry }) => (http === undefined ? [entry] : [])),
    },
    steps: steps.sort((a, b) => a.atMs - b.atMs),
    state: state as string[],
    endMs: Math.max(0, ...entries.map(({ atMs }) => atMs)),
  };
}

function httpStep(http: unknown, atMs: number, i: number, fail: (text: string) => never): HttpStep {
  if (typeof http !== 'object' || http === null) return fail(`timeline[${i}].http must be a mapping. Write ${example}`);
  const unknown = Object.keys(http).find((key) => !keys.includes(key));
  if (unknown !== undefined) return fail(`timeline[${i}].http: unknown key "${unknown}". Allowed: ${keys.join(', ')}.`);
  const { method, url, body, headers = {}, save = {} } = http as Partial<HttpStep>;
  if (typeof url !== 'string') return fail(`timeline[${i}].http.url is missing. Write ${example}`);
  return { atMs, method: method ?? (body === undefined ? 'GET' : 'POST'), url, body, headers, save };
}
