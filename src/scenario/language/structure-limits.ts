/** Limits on the structure of a document, checked before it is parsed, because parsing a large one takes long. */
import { CST, Lexer } from 'yaml';

/** Nesting of mappings and lists. The YAML composer is recursive, so this bounds its stack too. */
export const MAX_DEPTH = 50;
/**
 * Number of values of a document, including those that its aliases repeat: otherwise, a few bytes could expand into
 * millions.
 */
export const MAX_VALUES = 20_000;
/** Number of texts and punctuation marks. A document with MAX_VALUES values has fewer. */
export const MAX_LEXEMES = 60_000;

const BLANK: ReadonlySet<string | null> = new Set(['space', 'newline', 'comment']);
/** Outside brackets, each of these on a line opens a level. */
const INDICATORS: ReadonlySet<string | null> = new Set(['seq-item-ind', 'explicit-key-ind', 'map-value-ind']);
/** Marks of the lexer for the start of documents, scalars and errors. They are not in the text. */
const MARKS: ReadonlySet<string | null> = new Set(['doc-mode', 'scalar', 'flow-error-end']);

export interface StructureFault {
  readonly offset: number;
  readonly code: 'too_deep' | 'too_many_values';
}

/** Returns the first place where a text nests too deeply on one line or in brackets, or has too many parts. */
export function structureFault(text: string): StructureFault | undefined {
  let offset = 0;
  let lexemes = 0;
  let brackets = 0;
  let indicatorsOnLine = 0;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    const type: CST.TokenType | null = isScalar ? null : CST.tokenType(lexeme);
    isScalar = type === 'scalar';
    if (MARKS.has(type)) continue;
    if (type === 'newline') indicatorsOnLine = 0;
    else if (type === 'flow-map-start' || type === 'flow-seq-start') brackets += 1;
    else if (type === 'flow-map-end' || type === 'flow-seq-end') brackets = Math.max(0, brackets - 1);
    else if (brackets === 0 && INDICATORS.has(type)) indicatorsOnLine += 1;
    if (brackets + indicatorsOnLine > MAX_DEPTH) return { offset, code: 'too_deep' };
    if (!BLANK.has(type)) lexemes += 1;
    if (lexemes > MAX_LEXEMES) return { offset, code: 'too_many_values' };
    offset += lexeme.length;
  }
  return undefined;
}
