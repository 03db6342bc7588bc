/**
 * Regular expressions that cannot hang: evaluated in time linear to the text, with bounded size (contract §5, matchers;
 * §9). What such an engine cannot do (back references, looking around) is refused when the scenario is read.
 */
import { RE2JS } from 're2js';

/** In characters. */
const MAX_REGEX_LENGTH = 512;
/** Of the compiled program: time is at most this, times the length of the text. */
const MAX_PROGRAM_SIZE = 2_000;
/** Longer texts are judged by their beginning. */
const MAX_TEXT_LENGTH = 16_384;

export class RegexError extends Error {
  override readonly name = 'RegexError';
}

export interface Regex {
  /** Whether it is found anywhere in the text. */
  test(text: string): boolean;
}

/** `/source/flags` taken apart; undefined when the text is no regex but plain. */
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

/** @throws RegexError saying what is wrong and what is allowed. */
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
  if (program.programSize() > MAX_PROGRAM_SIZE) {
    throw new RegexError('The regular expression is too large once its repetitions are unfolded.');
  }
  // The recipients of a batch, and calls in a row, mostly bring the same text to an expression.
  let latest = '';
  let found = program.test(latest);
  return {
    test(text) {
      if (text !== latest) {
        found = program.test(text.slice(0, MAX_TEXT_LENGTH));
        latest = text;
      }
      return found;
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

/** The two things people use that no linear-time engine has, named before the engine complains in its own words. */
function unsupportedSyntax(source: string): string | undefined {
  const plain = source.replace(/\\[^1-9k]/gs, '').replace(/\[[^\]]*\]/g, '');
  if (/\(\?<?[=!]/.test(plain)) return 'a lookahead or lookbehind';
  if (/\\[1-9]|\\k</.test(plain)) return 'a back reference';
  return undefined;
}
