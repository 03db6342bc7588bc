/**
 * Parses text to YAML nodes, safely: YAML 1.2 core, one document, bounded size and depth.
 */
import { Composer, isDocument, LineCounter, Parser, CST, type Document, Lexer } from 'yaml';
import type { FoundProblem } from './corrected-line.js';
import { jsonFault } from './json-text.js';
import { printableLine } from '../../domain/printable.js';
import { mostProblems } from './problems.js';
import { explainFault } from './yaml-fault.js';

/** Maximum number of characters of a scenario document. */
export const longestDocument = 256 * 1024;

export interface YamlSource {
  readonly file: string;
  readonly text: string;
  readonly document: Document.Parsed;
  readonly place: (offset: number) => { line: number; column: number };
  /** Returns whether the whole text is JSON, too. Evaluated on demand. */
  readonly isJson: () => boolean;
}

/** Problems, and the number of those that are not listed. */
export interface Faulty {
  readonly problems: FoundProblem[];
  readonly unlisted?: number;
}

/** Parses without interpreting. All syntax errors are reported at once; a document with one is not read further. */
export function parseYamlSource(raw: string, file: string): { source: YamlSource } | Faulty {
  // In YAML, a carriage return alone ends a line too; the parser does not support that.
  const text = raw.replace(/\r(?!\n)/g, '\n');
  const counter = new LineCounter();
  const place = (offset: number) => {
    const { line, col } = counter.linePos(Math.max(0, Math.min(offset, text.length)));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problem = (offset: number, code: string, message: string, found: string, allowed?: string): FoundProblem => ({
    file,
    ...place(offset),
    path: '',
    code,
    message,
    found,
    ...(allowed !== undefined && { allowed }),
  });

  const only = (...given: Parameters<typeof problem>): Faulty => ({ problems: [problem(...given)] });

  if (text.length > longestDocument) {
    const message = `The scenario is too long. Split it, and name the parts in "extends".`;
    const limit = `at most ${longestDocument} characters`;
    return only(0, 'document_too_large', message, `${text.length} characters`, limit);
  }
  const excess = structureFault(text);
  // The parser counts lines, but the text is not parsed.
  if (excess) for (const { index, 0: end } of text.matchAll(/^|\n/g)) counter.addNewLine(index + end.length);
  if (excess?.code === 'too_many_values') {
    const message = 'The scenario has too many values.';
    const found = `more than ${MAX_LEXEMES} texts and punctuation marks`;
    return only(excess.offset, excess.code, message, found, `at most ${MAX_VALUES} values`);
  }
  const tokens = excess ? [] : [...new Parser(counter.addNewLine).parse(text)];
  const undecoded = text.indexOf('\uFFFD');
  if (undecoded !== -1) {
    const message = 'This character cannot be read, because the file is not UTF-8.';
    const allowed = 'a file saved as UTF-8; write U+FFFD as "\\uFFFD"';
    return only(undecoded, 'not_utf8', message, excerpt(text, undecoded), allowed);
  }
  const tooDeep = excess?.offset ?? findTooDeep(tokens);
  if (tooDeep !== undefined) {
    const message = `The scenario is nested too deeply here.`;
    const limit = `at most ${MAX_DEPTH} levels of lists and mappings`;
    return only(tooDeep, 'too_deep', message, `more than ${MAX_DEPTH} levels`, limit);
  }
  const core = { version: '1.2', schema: 'core', uniqueKeys: false } as const;
  const options = { ...core, prettyErrors: false, lineCounter: counter };
  const documents = [...new Composer(options).compose(tokens)].filter((document) => isDocument(document));
  const [document] = documents;
  if (document === undefined) {
    return only(0, 'empty_document', 'The scenario is empty.', 'nothing', 'a mapping with version: 1');
  }
  const second = documents[1];
  const found = [...document.errors, ...document.warnings];
  const unlisted = Math.max(0, found.length - mostProblems);
  const faults = found.slice(0, mostProblems).map((fault): FoundProblem => {
    const { offset, message, allowed, candidates } = explainFault(fault, document, text);
    return {
      ...problem(offset, `yaml_${fault.code.toLowerCase()}`, message, excerpt(text, offset), allowed),
      candidates,
    };
  });
  if (second !== undefined) {
    const message = 'A scenario file has one document; a second one begins here.';
    faults.push(problem(second.range[0], 'several_documents', message, '---', 'one document'));
  }
  if (document.directives.yaml.explicit === true && document.directives.yaml.version !== '1.2') {
    const message = 'Scenarios are YAML 1.2, where "no" and "012345" are texts.';
    const found = `%YAML ${document.directives.yaml.version}`;
    faults.push(problem(text.indexOf('%YAML'), 'yaml_version', message, found, 'no %YAML line, or %YAML 1.2'));
  }
  const noJson = /\.json$/i.test(file) ? jsonFault(text) : undefined;
  if (faults.length === 0 && noJson !== undefined) {
    const { offset, message } = noJson;
    faults.push(problem(offset, 'json_syntax', message, excerpt(text, offset), 'JSON, or a .yaml file'));
  }
  if (faults.length > 0) return { problems: oncePerLine(faults), unlisted };
  let json: boolean | undefined;
  const isJson = () => (json ??= text.trimStart().startsWith('{') && jsonFault(text) === undefined);
  return { source: { file, text, document, place, isJson } };
}

/** Keeps the first problem of each line: one error often breaks several rules of the syntax. */
function oncePerLine(problems: readonly FoundProblem[]): FoundProblem[] {
  const seen = new Set<number>();
  return problems.filter(({ line }) => !seen.has(line) && seen.add(line));
}

/** Returns the offset of the first token nested beyond the limit. Walks without recursion, because the depth is unknown. */
function findTooDeep(tokens: readonly CST.Token[]): number | undefined {
  const open: { token: CST.Token | null | undefined; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  let first: number | undefined;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (token === null || token === undefined) continue;
    if (token.type === 'document') open.push({ token: token.value, depth });
    if (!('items' in token)) continue;
    if (depth >= MAX_DEPTH) {
      first = Math.min(first ?? Infinity, token.offset);
      continue;
    }
    for (const item of token.items) {
      open.push({ token: item.value, depth: depth + 1 });
      if ('key' in item) open.push({ token: item.key, depth: depth + 1 });
    }
  }
  return first;
}

function excerpt(text: string, offset: number): string {
  const line = text.slice(offset, offset + 40).split(/[\r\n]/)[0] ?? '';
  return line === '' ? 'the end of the line' : printableLine(line);
}

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
