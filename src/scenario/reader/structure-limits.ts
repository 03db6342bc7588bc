/** Limits on the structure of a document that are checked before it is parsed, as parsing takes long for much of it. */
import { CST, Lexer } from 'yaml';

/** Nesting of mappings and lists. The YAML composer calls itself once a level, so this bounds its stack too. */
export const MAX_DEPTH = 50;
/** Values of a document, with those that its aliases repeat: a few bytes could unfold into millions without this. */
export const MAX_VALUES = 20_000;
/** Texts and punctuation marks. A document of so many values has fewer. */
export const MAX_LEXEMES = 60_000;

const BLANK: ReadonlySet<string | null> = new Set(['space', 'newline', 'comment']);
/** Outside brackets, each of them on a line opens a level. */
const INDICATORS: ReadonlySet<string | null> = new Set(['seq-item-ind', 'explicit-key-ind', 'map-value-ind']);
/** The lexer marks where documents, scalars and errors begin by characters that the text does not have. */
const MARKS: ReadonlySet<string | null> = new Set(['doc-mode', 'scalar', 'flow-error-end']);

export interface StructureFault {
  readonly offset: number;
  readonly code: 'too_deep' | 'too_many_values';
}

/** Finds where a text nests too deeply on one line or inside brackets, or has too many parts. Stops there. */
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
