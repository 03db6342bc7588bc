import { RE2JS } from 're2js';

/** In characters. */
const MAX_REGEX_LENGTH = 512;
/** Of the compiled program. */
const MAX_PROGRAM_SIZE = 2_000;
/** Of a longer text, an expression sees the beginning. No message of the API has a longer text than this. */
export const MAX_TEXT_LENGTH = 4_096;
/** A batch and its deliveries bring the same few texts to an expression again and again. */
const MAX_REMEMBERED = 128;

export class RegexError extends Error {
  override readonly name = 'RegexError';
}

export interface Regex {
  /** Instructions of the program. A test takes at most this many steps for each character of the text. */
  readonly size: number;
  /** Whether it is found anywhere in the text. */
  test(text: string): boolean;
}

/** Takes `/source/flags` apart; undefined when the text is not a regex but plain. */
export function parseRegexLiteral(text: string): { source: string; flags: string } | undefined {
  const match = /^\/(.+)\/([dgimsuvy]{0,8})$/s.exec(text);
  return match === null ? undefined : { source: match[1] ?? '', flags: match[2] ?? '' };
}

/** The bits of flags; a function, because the engine is loaded with the first expression. */
const bitsOf = (): Readonly<Record<string, number>> => ({
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  u: 0,
});

/**
 * Compiles a regular expression that is evaluated in linear time (docs/decisions/006).
 * @throws RegexError saying what is wrong and what is allowed.
 */
export function compileRegex(source: string, flags = ''): Regex {
  if (source.length > MAX_REGEX_LENGTH) {
    throw new RegexError(
      `The regular expression has ${source.length} characters; at most ${MAX_REGEX_LENGTH} are allowed.`,
    );
  }
  const known = bitsOf();
  let bits = 0;
  for (const flag of flags) {
    const bit = known[flag];
    if (bit === undefined) throw new RegexError(`The flag "${flag}" means nothing here; allowed are i, m, s and u.`);
    bits |= bit;
  }
  const unsupported = unsupportedSyntax(source);
  if (unsupported !== undefined) {
    throw new RegexError(`The regular expression uses ${unsupported}, which can take forever and is not supported.`);
  }
  const program = compileProgram(source, bits);
  const size = program.programSize();
  if (size > MAX_PROGRAM_SIZE) {
    throw new RegexError('The regular expression is too large once its repetitions are unfolded.');
  }
  const results = new Map<string, boolean>();
  return {
    size,
    test(text) {
      const seen = text.slice(0, MAX_TEXT_LENGTH);
      let result = results.get(seen);
      if (result === undefined) {
        if (results.size >= MAX_REMEMBERED) results.clear();
        results.set(seen, (result = program.test(seen)));
      }
      return result;
    },
  };
}

function compileProgram(source: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source), flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'unknown';
    throw new RegexError(`The regular expression cannot be read: ${reason}.`);
  }
}

/** The two things people use that no linear-time engine has, named before the engine reports them in its own words. */
function unsupportedSyntax(source: string): string | undefined {
  const plain = source.replace(/\\[^1-9k]/gs, '').replace(/\[[^\]]*\]/g, '');
  if (/\(\?<?[=!]/.test(plain)) return 'a lookahead or lookbehind';
  if (/\\[1-9]|\\k</.test(plain)) return 'a back reference';
  return undefined;
}
