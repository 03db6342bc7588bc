/**
 * Bounds what regular expressions can cost. An engine of linear time still takes the size of its program for each character
 * of the text, so expressions that together would hold the process are rejected when they are loaded.
 */
import { compileRegex, MAX_TEXT_LENGTH, type Regex } from './regex.js';

/** Steps of the engine for one call: about a fifth of a second if every one of them is taken. */
export const MAX_STEPS = 2_000_000;

/** A batch has up to 100 recipients, each with a number of its own. */
const CHARACTERS_OF_NUMBERS = 100 * 32;
/** For facts that are short. More characters than they have, as an expression costs something for the shortest text too. */
const CHARACTERS_OF_WORDS = 1_024;
const LONG_FACTS = /^(?:text|variables(?: \d+)?|body|path|url|endpoint)$/;

function charactersOfFact(fact: string): number {
  if (fact === 'to') return CHARACTERS_OF_NUMBERS;
  return LONG_FACTS.test(fact) ? MAX_TEXT_LENGTH : CHARACTERS_OF_WORDS;
}

/** Compiles expressions and counts their steps. An expression that occurs twice on one fact is compiled and counted once. */
export class ExpressionSet {
  readonly #byText = new Map<string, Regex>();
  readonly #charactersOf: (name: string) => number;
  #steps = 0;

  /** @param charactersOf how much a call can bring to an expression on this fact or field */
  constructor(charactersOf: (name: string) => number = charactersOfFact) {
    this.#charactersOf = charactersOf;
  }

  /** What all of them can take for one call. */
  get steps(): number {
    return this.#steps;
  }

  /** @throws RegexError */
  compile(name: string, source: string, flags: string): Regex {
    const key = `${name} ${flags}/${source}`;
    let regex = this.#byText.get(key);
    if (regex === undefined) {
      this.#byText.set(key, (regex = compileRegex(source, flags)));
      this.#steps += regex.size * this.#charactersOf(name);
    }
    return regex;
  }
}

/** What is wrong with so many steps, for a problem or an error; undefined where they are allowed. */
export function stepsFault(steps: number, of: string) {
  if (steps <= MAX_STEPS) return undefined;
  return {
    code: 'too_many_steps',
    message: `The regular expressions of ${of} can take too long for one call. Use contains, equals or a * glob, or smaller expressions.`,
    found: `up to ${steps} steps: for each expression its size with repetitions unfolded, times the characters that it may see`,
    allowed: `at most ${MAX_STEPS} steps`,
  };
}
