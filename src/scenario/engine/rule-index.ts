/**
 * Finds the rules that may fit a call without asking all of them. Most rules name a number, a template, a word or the like,
 * and most calls concern another one, so every rule stands under the keys of one such condition. What stands under nothing
 * is asked always. A candidate may still not fit; a rule that fits is never left out, and the written order is kept, for
 * what a rule counts depends on it.
 */
import { PieceList } from './piece-list.js';
import { keysOf, type RuleKey } from './rule-keys.js';
import type { FactName, Facts } from '../language/hooks.js';
import type { Match } from '../language/match-schema.js';

/** Facts that are a single text or number, those that tell calls apart best first. */
const INDEXED = [
  'to',
  'template',
  'name',
  'endpoint',
  'url',
  'alias',
  'path',
  'text',
  'body',
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

interface Placed<T> {
  readonly value: T;
  readonly position: number;
}

type ByText<T> = Map<string, Placed<T>[]>;

/** What stands under the texts of one fact. */
class Shelf<T> {
  readonly #whole: ByText<T> = new Map();
  /** By length of the beginning, so that a lookup is one slice for each length there is. */
  readonly #beginnings = new Map<number, ByText<T>>();
  readonly #parts = new PieceList<Placed<T>>();
  readonly #foldedParts = new PieceList<Placed<T>>();

  place(placed: Placed<T>, key: RuleKey): void {
    const there = this.#under(key);
    if (there.at(-1) !== placed) there.push(placed);
  }

  /** Something may be handed over more than once, as a list of matchers has many keys. */
  find(text: string, take: (found: readonly Placed<T>[]) => void): void {
    const whole = this.#whole.get(text);
    if (whole !== undefined) take(whole);
    for (const [length, byText] of this.#beginnings) {
      const found = text.length < length ? undefined : byText.get(text.slice(0, length));
      if (found !== undefined) take(found);
    }
    if (!this.#parts.isEmpty) this.#parts.find(text, take);
    if (!this.#foldedParts.isEmpty) this.#foldedParts.find(text.toLowerCase(), take);
  }

  #under({ text, is }: RuleKey): Placed<T>[] {
    switch (is) {
      case 'whole':
        return getOrAdd(this.#whole, text, () => []);
      case 'beginning': {
        const byText = getOrAdd(this.#beginnings, text.length, () => new Map<string, Placed<T>[]>());
        return getOrAdd(byText, text, () => []);
      }
      case 'part':
        return this.#parts.under(text);
      case 'foldedPart':
        return this.#foldedParts.under(text);
    }
  }
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
    const take = (more: readonly Placed<T>[]) => {
      (found ??= [...this.#always]).push(...more);
    };
    for (const [fact, shelf] of this.#shelves) {
      const value = facts[fact];
      if (value !== undefined) shelf.find(String(value), take);
    }
    if (found === undefined) return this.#onlyAlways;
    const ordered = found.sort((a, b) => a.position - b.position);
    return ordered.filter((placed, i) => placed !== ordered[i - 1]).map(({ value }) => value);
  }

  #place(placed: Placed<T>, match: Match | undefined): void {
    for (const fact of INDEXED) {
      const keys = keysOf(match?.[fact], fact);
      if (keys === undefined) continue;
      const shelf = getOrAdd(this.#shelves, fact, () => new Shelf<T>());
      for (const key of keys) shelf.place(placed, key);
      return;
    }
    this.#always.push(placed);
  }
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
