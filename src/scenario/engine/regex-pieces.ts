/**
 * What a text must hold before a regular expression can be found in it, read off how it is written. To look for a word
 * costs a fraction of what an expression costs, and most texts hold none of the words that rules look for.
 */

/** At least one of `pieces` stands in every text that fits. */
export interface RegexPieces {
  readonly pieces: readonly string[];
  /** The pieces are in lower case, and to be looked for in the text's lower case. */
  readonly folded: boolean;
}

/** What can be read is what can stand for nothing else; whatever else there is makes the whole unreadable. */
class Unreadable extends Error {}

/** Undefined when nothing is certain. The expression must be one that the engine takes. */
export function regexPieces(source: string, flags: string): RegexPieces | undefined {
  const folded = flags.includes('i');
  try {
    const reader = new Reader(source, folded);
    const pieces = reader.alternatives();
    return pieces === undefined || !reader.atEnd ? undefined : { pieces, folded };
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** One of these must be there; undefined where that is not known. */
type Pieces = readonly string[] | undefined;

/** Reads an expression from left to right; where it stands is its only state. */
class Reader {
  readonly #source: string;
  readonly #folded: boolean;
  #at = 0;

  constructor(source: string, folded: boolean) {
    this.#source = source;
    this.#folded = folded;
  }

  get atEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  /** `a|b|c`, up to the end or a closing parenthesis: a piece of each. */
  alternatives(): Pieces {
    let all: Pieces = this.#sequence();
    while (this.#take('|')) {
      const next = this.#sequence();
      all = all && next && [...all, ...next];
    }
    return all;
  }

  /** One thing after another: of what each must have, that which is longest. */
  #sequence(): Pieces {
    let best: Pieces;
    let run = '';
    const offer = (pieces: Pieces) => {
      if (pieces !== undefined && shortest(pieces) > (best === undefined ? 0 : shortest(best))) best = pieces;
    };
    const endRun = () => {
      offer([run]);
      run = '';
    };
    while (!this.atEnd && !this.#sees('|') && !this.#sees(')')) {
      const { literal, inside } = this.#item();
      const repeat = this.#repetition();
      if (literal === undefined) {
        endRun();
        if (repeat !== 'perhaps') offer(inside);
      } else if (repeat === 'once') {
        run += literal;
      } else {
        if (repeat === 'often') run += literal;
        endRun();
      }
    }
    endRun();
    return best;
  }

  /** A character that stands for itself, or a group with what must be in it, or anything else. */
  #item(): { readonly literal?: string; readonly inside?: Pieces } {
    const char = this.#next();
    switch (char) {
      case '(':
        return { inside: this.#group() };
      case '[':
        this.#skipClass();
        return {};
      case '\\':
        return this.#escape();
      case '{':
      case '*':
      case '+':
      case '?':
        throw new Unreadable();
      case '.':
      case '^':
      case '$':
        return {};
      default:
        return this.#literal(char);
    }
  }

  #group(): Pieces {
    if (this.#take('?')) {
      const name = /^(?::|P?<\w+>)/.exec(this.#rest());
      if (name === null) throw new Unreadable();
      this.#at += name[0].length;
    }
    const inside = this.alternatives();
    if (!this.#take(')')) throw new Unreadable();
    return inside;
  }

  /** `[…]`: one character, whichever. */
  #skipClass(): void {
    const whole = /^\^?(?:[^\\[\]]|\\[\W_bBdDsSwWnrtfv])*\]/.exec(this.#rest());
    if (whole === null) throw new Unreadable();
    this.#at += whole[0].length;
  }

  #escape(): { readonly literal?: string } {
    const char = this.#next();
    if (/[^a-z0-9]/i.test(char)) return this.#literal(char);
    if (/[bBdDsSwWnrtfv]/.test(char)) return {};
    throw new Unreadable();
  }

  /**
   * Without regard to case, `k` is the sign of Kelvin too and `s` the long s, which have other lower cases; no other
   * letter of ASCII has such a third form. What is beyond ASCII is left to the engine.
   */
  #literal(char: string): { readonly literal?: string } {
    if (char > '\x7f' || (this.#folded && /[ks]/i.test(char))) return {};
    return { literal: this.#folded ? char.toLowerCase() : char };
  }

  #repetition(): 'once' | 'often' | 'perhaps' {
    const found = /^(?:([*?])|\+|\{(\d+)(?:,\d*)?\})\??/.exec(this.#rest());
    if (found === null) return 'once';
    this.#at += found[0].length;
    return found[1] !== undefined || (found[2] !== undefined && Number(found[2]) === 0) ? 'perhaps' : 'often';
  }

  #rest(): string {
    return this.#source.slice(this.#at);
  }

  #sees(char: string): boolean {
    return this.#source.charAt(this.#at) === char;
  }

  #take(char: string): boolean {
    if (!this.#sees(char)) return false;
    this.#at += 1;
    return true;
  }

  /** @throws Unreadable at the end */
  #next(): string {
    if (this.atEnd) throw new Unreadable();
    const char = this.#source.charAt(this.#at);
    this.#at += 1;
    return char;
  }
}

function shortest(pieces: readonly string[]): number {
  return Math.min(...pieces.map(({ length }) => length));
}
