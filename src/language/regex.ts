/** Expressions and globs are evaluated in linear time (maintainers/decisions.md). */
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

/** Characters. */
const MAX_REGEX_LENGTH = 1_000;
/** Maximum number of instructions of the compiled program. */
const MAX_PROGRAM_SIZE = 2_000;
/** An expression is tested only on the beginning of a longer text. Messages of the API are never longer. */
const MAX_TEXT_LENGTH = 4_096;

export class RegexError extends Error {
  override readonly name = 'RegexError';
}

export interface Regex {
  test(text: string): boolean;
}

/** `slashesArePlain` is for paths, which always begin with a slash: inner slashes of a regex must then be escaped. */
export function isRegexText(text: string, options: { readonly slashesArePlain?: boolean } = {}) {
  const [, source, flags = ''] = /^\/(.+)\/([dgimsuvy]{0,8})$/s.exec(text) ?? [];
  if (source === undefined || (options.slashesArePlain === true && /(?:^|[^\\])\//.test(source))) return undefined;
  return { source, flags };
}

let loaded: typeof RE2JS | undefined;

/** Loaded with the first expression, because most starts need none. */
function engine(): typeof RE2JS {
  loaded ??= (createRequire(import.meta.url)('re2js') as { RE2JS: typeof RE2JS }).RE2JS;
  return loaded;
}

/** @throws RegexError with the error and the allowed syntax */
export function compileRegex(source: string, flags = ''): Regex {
  if (source.length > MAX_REGEX_LENGTH) {
    throw new RegexError(
      `The regular expression has ${source.length} characters; at most ${MAX_REGEX_LENGTH} are allowed.`,
    );
  }
  const { CASE_INSENSITIVE, MULTILINE, DOTALL } = engine();
  const known: Readonly<Record<string, number>> = { i: CASE_INSENSITIVE, m: MULTILINE, s: DOTALL, u: 0 };
  const unknown = Array.from(flags).find((flag) => known[flag] === undefined);
  if (unknown !== undefined) throw new RegexError(`Unknown flag "${unknown}". Allowed: i, m, s and u.`);
  const unsupported = unsupportedSyntax(source);
  if (unsupported !== undefined) {
    throw new RegexError(`The regular expression uses ${unsupported}, which can take forever and is not supported.`);
  }
  const bits = Array.from(flags).reduce((sum, flag) => sum | (known[flag] ?? 0), 0);
  const program = compileProgram(source, bits);
  return { test: (text) => program.test(text.slice(0, MAX_TEXT_LENGTH)) };
}

function compileProgram(source: string, flags: number): RE2JS {
  let program: RE2JS;
  try {
    program = engine().compile(engine().translateRegExp(source), flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'unknown';
    throw new RegexError(`The regular expression cannot be read: ${reason}.`);
  }
  if (program.programSize() <= MAX_PROGRAM_SIZE) return program;
  throw new RegexError('The regular expression is too large once its repetitions are expanded.');
}

function unsupportedSyntax(source: string): string | undefined {
  const plain = source.replace(/\\[^1-9k]/gs, '').replace(/\[[^\]]*\]/g, '');
  if (/\(\?<?[=!]/.test(plain)) return 'a lookahead or lookbehind';
  if (/\\[1-9]|\\k</.test(plain)) return 'a back reference';
  return undefined;
}

/** `*` is any number of characters. The comparison does not backtrack, so it stays fast. */
export function compileGlob(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return (text) => text === pattern;
  const middle = rest.filter((piece) => piece !== '');
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    const end = text.length - last.length;
    let from = first.length;
    for (const piece of middle) {
      const found = text.indexOf(piece, from);
      if (found === -1 || found + piece.length > end) return false;
      from = found + piece.length;
    }
    return true;
  };
}
