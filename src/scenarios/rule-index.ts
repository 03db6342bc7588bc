/**
 * Finds the rules that may fit a call without asking all of them. Most rules name a number, a template or the like, and
 * most calls concern another one, so every rule stands under the texts of one such condition: exact ones, and the leading
 * part of globs. What stands under nothing is asked always. A candidate may still not fit; a rule that fits is never
 * left out, and the written order is kept, for what a rule counts depends on it.
 */
import { isPlainText, isRegexText } from './matchers.js';
import type { FactName, Facts } from './schema/hooks.js';
import type { Match, Matcher } from './schema/match.js';

/**
 * Facts that are a single text or number, those that tell calls apart best first. `text` and `body` are left out: looking
 * at them costs more than asking a rule does.
 */
const INDEXED = [
  'to',
  'template',
  'name',
  'endpoint',
  'url',
  'alias',
  'path',
  'event',
  'status',
  'attempt',
  'type',
  'category',
  'language',
  'length',
  'method',
] as const satisfies readonly FactName[];
type IndexedFact = (typeof INDEXED)[number];

/** One text that a condition can fit: whole, or the beginning of many. */
interface Key {
  readonly text: string;
  readonly whole: boolean;
}

interface Placed<T> {
  readonly value: T;
  readonly position: number;
}

/** What stands under the texts of one fact. */
interface Shelf<T> {
  readonly whole: Map<string, Placed<T>[]>;
  /** By length of the beginning, so that a lookup is one slice for each length there is. */
  readonly beginnings: Map<number, Map<string, Placed<T>[]>>;
}

/** Values by their matches, in the order they were given. */
export class RuleIndex<T> {
  readonly #shelves = new Map<IndexedFact, Shelf<T>>();
  readonly #always: Placed<T>[] = [];
  readonly #onlyAlways: readonly T[];

  constructor(values: readonly T[], matchOf: (value: T) => Match | undefined) {
    values.forEach((value, position) => {
      this.#place({ value, position }, matchOf(value));
    });
    this.#onlyAlways = this.#always.map(({ value }) => value);
  }

  /** All that may fit these facts, each once, in the order they were given. */
  candidates(facts: Facts): readonly T[] {
    let found: Placed<T>[] | undefined;
    const take = (more: readonly Placed<T>[] | undefined) => {
      if (more !== undefined) (found ??= [...this.#always]).push(...more);
    };
    for (const [fact, { whole, beginnings }] of this.#shelves) {
      const value = facts[fact];
      if (value === undefined) continue;
      const text = String(value);
      take(whole.get(text));
      for (const [length, byText] of beginnings) {
        if (text.length >= length) take(byText.get(text.slice(0, length)));
      }
    }
    if (found === undefined) return this.#onlyAlways;
    const ordered = found.sort((a, b) => a.position - b.position);
    // A list of matchers stands in several places, and more than one may fit.
    return ordered.filter((placed, i) => placed !== ordered[i - 1]).map(({ value }) => value);
  }

  #place(placed: Placed<T>, match: Match | undefined): void {
    for (const fact of INDEXED) {
      const keys = keysOf(match?.[fact], fact);
      if (keys === undefined) continue;
      const shelf = this.#shelf(fact);
      const seen = new Set<string>();
      for (const { text, whole } of keys) {
        const id = `${whole ? '=' : '^'}${text}`;
        if (seen.has(id)) continue;
        seen.add(id);
        const byText = whole
          ? shelf.whole
          : getOrAdd(shelf.beginnings, text.length, () => new Map<string, Placed<T>[]>());
        getOrAdd(byText, text, () => []).push(placed);
      }
      return;
    }
    this.#always.push(placed);
  }

  #shelf(fact: IndexedFact): Shelf<T> {
    return getOrAdd(this.#shelves, fact, () => ({ whole: new Map(), beginnings: new Map() }));
  }
}

/** The texts of which a value must have one for the matcher to fit; undefined when that cannot be said. */
function keysOf(matcher: Matcher | undefined, fact: FactName): Key[] | undefined {
  if (matcher === undefined) return undefined;
  if (typeof matcher === 'string') {
    const options = { slashesArePlain: fact === 'path' };
    if (isPlainText(matcher, options)) return [{ text: matcher, whole: true }];
    const glob = matcher.indexOf('*');
    const begins = glob > 0 && isRegexText(matcher, options) === undefined;
    return begins ? [{ text: matcher.slice(0, glob), whole: false }] : undefined;
  }
  if (Array.isArray(matcher)) return keysOfAll(matcher, fact);
  if (matcher.equals !== undefined) return [{ text: matcher.equals, whole: true }];
  return matcher.any === undefined ? undefined : keysOfAll(matcher.any, fact);
}

function keysOfAll(matchers: readonly Matcher[], fact: FactName): Key[] | undefined {
  const keys = matchers.map((one) => keysOf(one, fact));
  return keys.every((one) => one !== undefined) ? keys.flat() : undefined;
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
