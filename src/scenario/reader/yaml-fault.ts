/** A fault of the YAML syntax, told with the way out where one is likely. */
import { parseDocument, Scalar, visit } from 'yaml';
import type { Document, YAMLParseError, YAMLWarning } from 'yaml';
import { printableLine } from '../../domain/printable.js';
import { replacedOnLine } from './corrected-line.js';

export interface YamlFault {
  readonly offset: number;
  readonly message: string;
  readonly allowed: string;
  /** The line, corrected. */
  readonly fixed?: string;
}

/** What the parser complains about when a text should have stood in quotes, and which texts those are. */
const QUOTES_MISSING: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'quotes around a text that holds a colon and a space',
  BAD_SCALAR_START: 'quotes around a text that begins with such a character',
};

/**
 * @param text the whole document
 * @param correct whether to look for a corrected line
 */
export function explainFault(
  fault: YAMLParseError | YAMLWarning,
  document: Document.Parsed,
  text: string,
  correct: boolean,
): YamlFault {
  const offset = fault.pos[0];
  const message = `This is not valid YAML: ${sentence(fault.message)}`;
  if (fault.code === 'TAB_AS_INDENT') {
    return { offset, message, allowed: 'spaces; YAML takes no tab for an indentation' };
  }
  const begins = fault.code === 'MISSING_CHAR' ? openedQuote(document, offset) : undefined;
  if (begins !== undefined) {
    const quote = text[begins] ?? '';
    return {
      offset: begins,
      message: `The text that begins here has no closing ${quote}.`,
      allowed: `${quote} at its end`,
    };
  }
  const allowed = QUOTES_MISSING[fault.code];
  if (allowed === undefined) return { offset, message, allowed: 'YAML 1.2, or JSON' };
  const fixed = correct ? quoted(text, offset) : undefined;
  return { offset, message, allowed, ...(fixed !== undefined && { fixed }) };
}

/** Where the quoted text begins that runs on to the offset, where the parser misses its end. */
function openedQuote(document: Document.Parsed, offset: number): number | undefined {
  let begins: number | undefined;
  visit(document, {
    Scalar(_key, { type, range }) {
      if (type !== Scalar.QUOTE_DOUBLE && type !== Scalar.QUOTE_SINGLE) return;
      if (range && range[0] < offset && range[1] >= offset) begins = range[0];
    },
  });
  return begins;
}

/** The line with the text at the offset in quotes, if that makes it a right one. */
function quoted(text: string, offset: number): string | undefined {
  // In a block a text ends with its line, in braces and brackets with the next of them.
  const rest = /^.{0,400}/.exec(text.slice(offset, offset + 400))?.[0] ?? '';
  for (const extent of [/\s+#.*|\s+$/, /\s*[,}\]].*/]) {
    const written = rest.replace(extent, '');
    const fixed = written && replacedOnLine(text, [offset, offset + written.length], JSON.stringify(written));
    if (fixed && parseDocument(fixed.trimStart(), { prettyErrors: false }).errors.length === 0) return fixed;
  }
  return undefined;
}

function sentence(message: string): string {
  const text = printableLine(message).replace(/[^.]$/, '$&.');
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
